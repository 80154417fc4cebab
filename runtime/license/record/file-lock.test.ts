import { randomUUID } from 'node:crypto';
import { linkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { lockFile } from './file-lock.ts';

/** Far below the time after which any lock counts as abandoned. */
const atOnceMs = 3000;

// Guarantee: a lock without a holder is taken over immediately, even when another process has its holder's pid now, or a power cut
// has left the file empty.
test.each([
  ['of an ended process', JSON.stringify({ pid: 2 ** 30, nonce: randomUUID() })],
  [
    'of an earlier process with the number of one that runs',
    JSON.stringify({ pid: process.ppid, nonce: randomUUID(), began: `${randomUUID()} 1` }),
  ],
  ['without content', ''],
  ['full of zeros', '\0'.repeat(70)],
])('a dead lock %s', async (_case, text) => {
  await using folder = await temporaryFolder('lock');
  const path = join(folder.path, 'a.lock');
  await writeFile(path, text);
  const beganMs = performance.now();
  await using lock = await lockFile(path);
  expect(performance.now() - beganMs).toBeLessThan(atOnceMs);
  lock.assertHeld();
});

// Guarantee: what a virus scanner kept from being removed, the file that became the lock by a link, is never written over, which would
// take the lock from its holder.
test('a left temporary file', async () => {
  await using folder = await temporaryFolder('lock');
  const path = join(folder.path, 'a.lock');
  const first = await lockFile(path);
  linkSync(path, `${path}.${process.pid}`);
  const next = lockFile(path);
  first.assertHeld();
  await first[Symbol.asyncDispose]();
  await using second = await next;
  second.assertHeld();
});
