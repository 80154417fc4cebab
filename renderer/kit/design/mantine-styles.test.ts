import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const renderer = resolve(import.meta.dirname, '../..');
const styleOf = (component: string) => `@mantine/core/styles/${component}.layer.css`;
const exists = (style: string) => existsSync(join(renderer, '../node_modules', style));

// Guarantee: each library component that any page uses has its style, even if only one page uses it.
test('no component comes without its style', async () => {
  const listed = await readFile(join(import.meta.dirname, 'mantine-styles.ts'), 'utf8');
  const files = (await readdir(renderer, { recursive: true })).filter((name) => name.endsWith('.tsx'));
  const missing = new Set<string>();
  for (const file of files) {
    const source = await readFile(join(renderer, file), 'utf8');
    const names = /import \{([^}]*)\} from '@mantine\/core'/.exec(source)?.[1]?.split(',') ?? [];
    for (const name of names.map((each) => each.replace('type ', '').trim()))
      if (exists(styleOf(name)) && !listed.includes(`'${styleOf(name)}'`)) missing.add(`${name} of ${file}`);
  }
  expect([...missing]).toEqual([]);
});
