import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { lockFilePath } from './family.ts';
import { stopWithSession } from './stop-with-session.ts';

// Guarantee: whoever ends with the session waits for a database that goes, not at all where there is none, and for one that
// does not go no longer than there is time; nobody to hear the order is no failure.
test('the end of a session', async () => {
  await using folder = await temporaryFolder('session');
  expect(stopWithSession(folder.path, 60_000)).toBe(true);
  const lock = lockFilePath(folder.path);
  await writeFile(lock, '999999999\n');
  expect(stopWithSession(folder.path, 100)).toBe(false);
  // Another process, since this one's thread is held.
  spawn(process.execPath, ['-e', `require('node:fs').rmSync(${JSON.stringify(lock)})`]);
  expect(stopWithSession(folder.path, 60_000)).toBe(true);
});
