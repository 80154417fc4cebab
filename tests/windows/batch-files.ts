import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bundleFile } from '../../build/bundle/bundle-file.ts';
import { windowsNode } from '../../build/package/programs.ts';
import { openWindowsLab } from './lab.ts';
import { testOnWindows } from './test-on-windows.ts';

const folder = 'C:\\Game servers';
const names = ['Spiele & Co', 'x86 (x86)', '100% fun', '%OS%', 'wow!', 'a^b', "it's; a, b=c", 'a && exit 7'];
const args = [
  '',
  'My, Server',
  '" & exit 7 & "',
  'a|b^c<d>e',
  '100%',
  '%OS%',
  '!OS!',
  'D:\\worlds\\',
  'say "hi"',
];

// Guarantee: a batch file starts in any folder that Windows allows, and its game gets the arguments unchanged; no part of a name or
// an argument runs as a command.
testOnWindows('batch files on Windows', [], async () => {
  await using lab = await openWindowsLab();
  const at = (path: string) => join(lab.drive, ...path.split('\\').slice(1));
  const [node, program, told] = ['node.exe', 'batch.mjs', 'told.json'].map(
    (name) => `${folder}\\${name}`,
  ) as [string, string, string];
  await mkdir(at(folder), { recursive: true });
  await copyFile(await windowsNode(), at(node));
  await bundleFile(join(import.meta.dirname, 'testing/batch-main.ts'), at(program));

  const asked = JSON.stringify({ names, args });
  expect(await lab.run(node, [program, folder, asked, told])).toMatchObject({ code: 0, err: '' });
  const arrived = JSON.parse(await readFile(at(told), 'utf8'));
  expect(arrived).toEqual(Object.fromEntries(names.map((name) => [name, args])));
});
