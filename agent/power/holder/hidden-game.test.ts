import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testIf } from '#harness/test-if.ts';
import { endLaunched } from '../testing/test-power.ts';

const program = resolve(import.meta.dirname, '../testing/hidden-game.ts');
const nobody = 65534;
const isRoot = process.getuid?.() === 0;

// Guarantee: a game whose program and environment the agent's account may not read, such as one with capabilities or of another
// account, still counts as the game: it is found without its holder, not started twice, and ended by a kill.
testIf(isRoot)('a program that may not be read', { timeout: 60_000, tags: 'procps' }, async () => {
  const outer = await temporaryFolder('hidden');
  const folder = join(outer.path, 'game');
  await mkdir(folder);
  await copyFile('/bin/sleep', join(folder, 'gamed'));
  // Executable but not readable, so that Linux hides the process from its own account.
  await chmod(join(folder, 'gamed'), 0o711);
  await chmod(folder, 0o777);
  onTestFinished(async () => {
    await endLaunched(folder);
    await outer[Symbol.asyncDispose]();
  });
  const { stdout } = await promisify(execFile)(process.execPath, [program, folder], {
    uid: nobody,
    gid: nobody,
    cwd: folder,
  });
  const saw = JSON.parse(stdout);
  expect(saw.game.program).toBe('');
  expect(saw.without).toMatchObject({ is: 'running', pid: saw.game.pid });
  expect(saw.again).toMatchObject({ outcome: 'done', detail: 'The game was running.' });
  expect(saw.running).toEqual([String(saw.game.pid)]);
  expect(saw.stopped).toMatchObject({ outcome: 'done' });
  expect(saw.left).toEqual([]);
});
