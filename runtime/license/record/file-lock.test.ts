import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { lockFile } from './file-lock.ts';

/** Far below the time after which any lock counts as forgotten. */
const atOnceMs = 3000;

// Guarantee: a lock that nobody holds any more is taken over at once, also when its process's number was given to another
// process, and when a power cut has left the file without content.
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
