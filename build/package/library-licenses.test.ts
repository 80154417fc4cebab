import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { librariesFile, libraryLicenses, writeLibraryLicenses } from './library-licenses.ts';

const line = '-'.repeat(80);

const files = {
  'b/package.json': { name: 'b', version: '2.0.0', license: 'MIT' },
  'b/LICENSE': 'Copyright A and B\r\n\r\nPermission …\r\n',
  'b/license.js': 'no text',
  '@scope/a/package.json': { name: '@scope/a', version: '1.0.0', license: 'MIT' },
  '@scope/a/License.md': '\uFEFFCopyright A and B  \n\nPermission …',
  '@scope/a/NOTICE': 'Made by A.',
  '@scope/a/esm/package.json': { type: 'module' },
  'b/node_modules/c/package.json': { name: 'c', version: '1.0.0', license: 'ISC' },
  'b/node_modules/c/readme.md': '# c\n\n## License\n\nCopyright C\n\nPermission …\n\n## Thanks\n\nTo all.\n',
  'b/vendor/LICENSE': 'Copyright V',
  'b/unused/LICENSE': 'Copyright U',
  'd/package.json': { name: 'd', version: '1.0.0', license: 'MIT', repository: { url: 'https://d.example' } },
  'd/README.md': '# d\n\n# License\n\nMIT\n',
  'e/package.json': { name: 'e', version: '1.0.0' },
  'unused/package.json': { name: 'unused', version: '1.0.0', license: 'MIT' },
} as const;
const modules = [
  'b/index.js',
  'b/vendor/deep/v.js',
  '@scope/a/esm/a.js',
  'b/node_modules/c/c.js',
  'd/d.js',
  'e/e.js',
];

const expected = `Libraries that are part of Castellan, and their licenses.

@scope/a 1.0.0: MIT
b 2.0.0: MIT
c 1.0.0: ISC
d 1.0.0: MIT; it comes without a text, from https://d.example
e 1.0.0: not named; it comes without a text, from an unnamed place

${line}

@scope/a 1.0.0
b 2.0.0

Copyright A and B

Permission …

${line}

@scope/a 1.0.0

Made by A.

${line}

b 2.0.0

Copyright V

${line}

c 1.0.0

Copyright C

Permission …
`;

// Guarantee: everything that went into a bundle is named with its license, and each license text is there once,
// unchanged; the order of the modules and the place of the checkout leave no trace.
test('the text of the licenses', async () => {
  for (const name of ['one', 'another']) {
    await using folder = await temporaryFolder(name);
    const at = (path: string) => join(folder.path, 'node_modules', path);
    for (const path of modules) await mkdir(dirname(at(path)), { recursive: true });
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), typeof content === 'string' ? content : JSON.stringify(content));
    }
    const ids = [...modules.map(at), join(folder.path, 'main.ts'), `\0${at('unused/index.js')}`];
    expect(await libraryLicenses(ids)).toBe(expected);
    await writeLibraryLicenses(folder.path, ids.toReversed());
    expect(await readFile(join(folder.path, librariesFile), 'utf8')).toBe(expected);
  }
});
