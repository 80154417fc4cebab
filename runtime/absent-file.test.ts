import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ifAbsent, isAbsent } from './absent-file.ts';

// Guarantee: only a file that does not exist has a substitute; any other fault is seen.
test('what stands for an absent file', async () => {
  const absent = join(import.meta.dirname, 'no-such-file');
  await expect(readFile(absent).catch(ifAbsent(null))).resolves.toBeNull();
  await expect(readFile(import.meta.dirname).catch(ifAbsent(null))).rejects.toThrow('EISDIR');
  expect([isAbsent(new Error('ENOENT')), isAbsent({ code: 'ENOENT' })]).toEqual([false, true]);
});
