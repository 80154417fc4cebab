import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sharedProgramsVariable } from '#harness/built-program.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { buildPanel } from './panel.ts';
import { fontBudgetBytes, panelBudgetBytes, panelSizes } from './panel-size.ts';

// Guarantee: the panel opens quickly over a poor connection too: its first load stays small, whatever pages are added.
test('the first load keeps to its budget', async () => {
  await using folder = await temporaryFolder('panel-size');
  // The run may have built it already.
  const programs = process.env[sharedProgramsVariable];
  if (programs === undefined) await buildPanel(folder.path);
  const panel = programs === undefined ? folder.path : join(programs, 'panel');
  const { scriptBytes, styleBytes, total, fontBytes } = await panelSizes(panel);
  expect(scriptBytes).toBeGreaterThan(50_000);
  expect(styleBytes).toBeGreaterThan(5000);
  expect(total).toBeLessThan(panelBudgetBytes);
  expect(fontBytes).toBeGreaterThan(20_000);
  expect(fontBytes).toBeLessThan(fontBudgetBytes);
});

// Guarantee: everything that the page itself names is counted, and nothing else.
test('what counts', async () => {
  await using folder = await temporaryFolder('panel-size');
  const page =
    '<script type="module" crossorigin src="./assets/a.js"></script>' +
    '<link rel="modulepreload" crossorigin href="./assets/b.js"><link rel="stylesheet" crossorigin href="./assets/c.css">' +
    '<link rel="preload" as="font" type="font/woff2" crossorigin href="./assets/d.woff2">';
  const texts = {
    'a.js': 'a'.repeat(5000),
    'b.js': 'let b;',
    'c.css': '.c{}',
    'lazy.js': 'let lazy;',
    'd.woff2': 'font',
  };
  await mkdir(join(folder.path, 'assets'));
  await writeFile(join(folder.path, 'index.html'), page);
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder.path, 'assets', name), text);
  const size = (text: string) => gzipSync(text, { level: 9 }).length;
  const scriptBytes = size(texts['a.js']) + size(texts['b.js']);
  const styleBytes = size(texts['c.css']);
  expect(await panelSizes(folder.path)).toEqual({
    scriptBytes,
    styleBytes,
    total: scriptBytes + styleBytes,
    fontBytes: 4,
  });
});
