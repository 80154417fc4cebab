import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { stackControl } from '#contracts/operations/stack.ts';
import { demandAnswer } from '#runtime/answering-folder.ts';
import { fullManifestName } from '#runtime/backup/backup-manifest.ts';
import { noChecksums, restoreHome } from '#runtime/backup/restore-home.ts';
import { leftRestoreWords, unpackedIn } from '#runtime/backup/restore-journal.ts';
import { demandPassphrase, unpackBackup } from '#runtime/backup/unpack-backup.ts';
import { demandRoom } from '#runtime/disk-space.ts';
import { demandDataFolder } from '#runtime/folder-check/demand-folder.ts';
import { startGuardian } from '#runtime/guardian/guardian.ts';
import { makeHome } from '#runtime/home.ts';
import { recordFileName } from '#runtime/license/record/record-store.ts';
import { isThere } from '#runtime/path-access.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { callSupervisor, untilReleased } from '../control/control-client.ts';
import { holdHome } from '../control/held-home.ts';
import type { CommandContext } from './command-context.ts';
import { CommandFailure, exitCodes, notRunning } from './exit-codes.ts';
import { demandNoServices } from './services.ts';
import { askUnseen, firstLineOfStdin } from './typed-secret.ts';

/** `castellan restore`: into a data folder that was used before, or into a new one. What was there is kept. */
export const restore = async (
  { home, programsFolder, variables, terminal }: CommandContext,
  given: string,
  {
    stop = false,
  }: {
    readonly stop?: boolean;
  },
): Promise<void> => {
  await demandAnswer(resolve(given));
  const inHome = resolve(home, given);
  const backup = existsSync(resolve(given)) ? resolve(given) : inHome;
  const packed = await stat(backup).then(
    (found) => (found.isFile() ? found : null),
    () => null,
  );
  // A database alone does not show which keys encrypted its secrets.
  if (packed === null && !existsSync(join(backup, fullManifestName)) && !isThere(stackEnvPath(home), home))
    throw notRunning(home);
  for (const words of await demandDataFolder(home, { variables, programsFolder })) terminal.say(words);
  await makeHome(home);
  await demandNoServices(home);
  const isRunning = (await callSupervisor(home, stackControl.status)) !== null;
  // Before anything is stopped: a wrong passphrase costs nothing but a second.
  const passphrase = packed === null || (isRunning && !stop) ? '' : await readPassphrase(backup);
  if (isRunning) {
    if (!stop)
      throw new CommandFailure(
        'The stack is running. Stop it with: castellan stop. Or let this command do it: castellan restore --stop …',
        exitCodes.holder,
      );
    await callSupervisor(home, stackControl.stop);
    await untilReleased(home);
  }
  await using held = await holdHome(home, 'castellan restore');
  if (held.leftRestore !== null) terminal.say(leftRestoreWords[held.leftRestore]);
  await demandNoServices(home);
  using guardian = startGuardian(process.execPath, join(programsFolder, 'guardian.mjs'), () => undefined);
  await using unpacked = new AsyncDisposableStack();
  let folder = backup;
  if (packed !== null) {
    terminal.say('Decrypting the backup …');
    await demandRoom(healthReasons['the-copy'], [{ path: home, bytes: packed.size }]);
    folder = await unpackBackup(backup, passphrase, unpackedIn(home));
    unpacked.defer(() => rm(unpackedIn(home), { recursive: true, force: true }));
  }
  terminal.say('Copying the backup and testing it …');
  const { takenAt, replaced, wasCompared } = await restoreHome({
    owner: 'castellan',
    home,
    backup: folder,
    onlyWhereMissing: [recordFileName],
    guardian,
  });
  if (!wasCompared) terminal.say(noChecksums);
  terminal.say(`Restored the backup of ${takenAt}.
What was there before is kept in ${replaced}. Delete it when all is well.
Start the stack with: castellan start`);
};

/** Of an encrypted backup: typed, or the first line of stdin when that is no terminal. Never an argument. */
const readPassphrase = async (file: string): Promise<string> => {
  const passphrase = process.stdin.isTTY
    ? await askUnseen('Passphrase of the backup: ')
    : await firstLineOfStdin();
  await demandPassphrase(file, passphrase);
  return passphrase;
};
