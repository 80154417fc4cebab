import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readImportGraph } from './import-graph.ts';

const root = resolve(import.meta.dirname, '../..');
const graph = await readImportGraph(['renderer']);

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
