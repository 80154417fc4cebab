import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { StartupError } from '#runtime/program.ts';
import { MovedHomeError } from '../data-folder/move-marks.ts';
import { HomeHeldError } from './held-home.ts';
import { keepingRefusal, readStartRefusal } from './start-refusal.ts';

// Guarantee: a refused start is remembered, always the last one, without the secrets in it, and forgotten with a start that succeeds.
test('refusals', async () => {
  await using home = await temporaryFolder('home');
  expect(await readStartRefusal(home.path)).toBeNull();
  const refuse = (reason: string) =>
    keepingRefusal(home.path, 'a test', () => Promise.reject(new StartupError(reason)));
  await expect(refuse('one')).rejects.toThrow('one');
  await expect(refuse('postgresql://castellan:hunter22@127.0.0.1/x')).rejects.toThrow('hunter22');
  const kept = await readStartRefusal(home.path);
  expect(kept).toMatchObject({ heldBy: 'a test', reason: expect.stringContaining('127.0.0.1/x') });
  expect(kept?.reason).not.toContain('hunter22');
  expect(Math.abs(Date.parse(kept?.refusedAt ?? '') - Date.now())).toBeLessThan(60_000);
  expect(await keepingRefusal(home.path, 'a test', async () => 42)).toBe(42);
  expect(await readStartRefusal(home.path)).toBeNull();
});

// Guarantee: nothing is written into a folder that another program holds, or that was moved elsewhere.
test('a folder of another', async () => {
  await using home = await temporaryFolder('home');
  for (const error of [new HomeHeldError(home.path, null), new MovedHomeError('moved')])
    await expect(keepingRefusal(home.path, 'a test', () => Promise.reject(error))).rejects.toBe(error);
  expect(await readdir(home.path)).toEqual([]);
});

// Guarantee: what cannot be read or written changes nothing about a start.
test('a folder that takes none', async () => {
  await using folder = await temporaryFolder('home');
  const file = join(folder.path, 'file');
  await writeFile(file, '');
  const refused = keepingRefusal(file, 'a test', () => Promise.reject(new StartupError('the reason')));
  await expect(refused).rejects.toThrow('the reason');
  await writeFile(join(folder.path, 'start-refusal.json'), '{"half');
  expect(await readStartRefusal(folder.path)).toBeNull();
});
