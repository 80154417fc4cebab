import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

const renderer = resolve(import.meta.dirname, '../../renderer');

/** Each file of the panel with the files of the panel that it imports, as paths from renderer/. */
const importsWithin = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  const files = (await readdir(renderer, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const found = new Map<string, readonly string[]>();
  for (const file of files) {
    const source = await readFile(join(renderer, file), 'utf8');
    const specifiers = [...source.matchAll(/(?:from|import|import\()\s*'(\.[^']*)'/g)].map(
      (match) => match[1] ?? '',
    );
    const folder = dirname(join(renderer, file));
    found.set(
      file,
      specifiers.map((specifier) => relative(renderer, resolve(folder, specifier))),
    );
  }
  return found;
};

const featureOf = (file: string): string | null => /^features[\\/]([^\\/]+)[\\/]/.exec(file)?.[1] ?? null;
/** Where the rooms meet. */
const roots = ['app.tsx', 'navigation.ts'];

// Guarantee: a feature of the panel can be taken out by its folder and one line: no other one leans on it, and no room
// that they share looks into one.
test('features meet only in the composition root', async () => {
  const wrong = [...(await importsWithin())].flatMap(([file, imported]) =>
    imported
      .filter((target) => featureOf(target) !== null && featureOf(target) !== featureOf(file))
      .filter(() => !roots.includes(file))
      .map((target) => `${file} imports ${target.replaceAll(sep, '/')}`),
  );
  expect(wrong).toEqual([]);
});

/** Asks for the panel's own file, whoever serves it. */
const ownFiles = join('routing', 'pieces.ts');

// Guarantee: nothing but the wire speaks to the API or opens a connection.
test('only the wire speaks to the API', async () => {
  const speaking: string[] = [];
  for (const file of (await importsWithin()).keys()) {
    if (file.startsWith(`wire${sep}`) || file === ownFiles || file.endsWith('.test.ts')) continue;
    const source = await readFile(join(renderer, file), 'utf8');
    if (/\bfetch\(|new WebSocket\(|XMLHttpRequest|EventSource/.test(source)) speaking.push(file);
  }
  expect(speaking).toEqual([]);
});
