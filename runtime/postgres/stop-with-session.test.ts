import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { lockFilePath } from './family.ts';
import { stopWithSession } from './stop-with-session.ts';

// Guarantee: at the end of a session, the process waits for a database that stops, does not wait where there is none, and waits for
// one that does not stop only as long as there is time; a postmaster that no longer listens is not a failure.
test('the end of a session', async () => {
  await using folder = await temporaryFolder('session');
  expect(stopWithSession(folder.path, 60_000)).toBe(true);
  const lock = lockFilePath(folder.path);
  await writeFile(lock, '999999999\n');
  expect(stopWithSession(folder.path, 100)).toBe(false);
  // A separate process, since this one's thread is blocked.
  spawn(process.execPath, ['-e', `require('node:fs').rmSync(${JSON.stringify(lock)})`]);
  expect(stopWithSession(folder.path, 60_000)).toBe(true);
});
