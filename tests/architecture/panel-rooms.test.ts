import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readImportGraph } from './import-graph.ts';

const root = resolve(import.meta.dirname, '../..');
const graph = await readImportGraph(['renderer']);

const featureOf = (file: string): string | null => /^renderer\/features\/([^/]+)\//.exec(file)?.[1] ?? null;
/** The composition roots. */
const roots = ['renderer/app.tsx', 'renderer/shell/navigation.ts'];

// Guarantee: removing a feature of the panel takes deleting its folder and one line: no other feature depends on it, and no
// shared folder imports from a feature.
test('features meet only in the composition root', () => {
  const wrong = [...graph].flatMap(([file, imported]) =>
    imported
      .filter((target) => featureOf(target) !== null && featureOf(target) !== featureOf(file))
      .filter(() => !roots.includes(file))
      .map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

/** Fetches the panel's own file, regardless of which server serves it. */
const ownFiles = 'renderer/kit/routing/page-chunks.ts';

// Guarantee: only the wire talks to the API or opens a connection.
test('only the wire speaks to the API', async () => {
  const speaking: string[] = [];
  for (const file of graph.keys()) {
    if (file.startsWith('renderer/kit/api/') || file === ownFiles || file.endsWith('.test.ts')) continue;
    const source = await readFile(join(root, file), 'utf8');
    if (/\bfetch\(|new WebSocket\(|XMLHttpRequest|EventSource/.test(source)) speaking.push(file);
  }
  expect(speaking).toEqual([]);
});
