import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startFile } from './program.ts';

// Guarantee: a program that is about to end by itself is waited for, and does not end us with it.
test('a program that has let go of us', async () => {
  await using folder = await temporaryFolder('demo-program');
  const file = join(folder.path, 'program.mjs');
  await writeFile(file, 'process.disconnect(); setTimeout(() => process.exit(3), 300);');
  const program = startFile(file, [], {}, join(folder.path, 'log'));
  await once(program.process, 'disconnect');
  await program[Symbol.asyncDispose]();
  expect(program.process.exitCode).toBe(3);
});
