import { createInterface } from 'node:readline/promises';
import { type SecretsStatus, secretsHttp } from '#contracts/operations/secrets.ts';
import { stackControl } from '#contracts/operations/stack.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import { countDamagedCopies, removeDamagedCopies, removeRecordedKeys } from '#runtime/key-record.ts';
import { backupsFolder } from '#runtime/postgres/backup.ts';
import { keyIdOf } from '#runtime/secret-box.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { callSupervisor } from '../control/control-client.ts';
import type { CommandContext } from './command-context.ts';
import { CommandFailure, exitCodes } from './exit-codes.ts';
import { readInstallation } from './installation.ts';
import { nullWhenAway, restartApi } from './key-rotate/key-rotate.ts';
import { askLocalApi } from './local-api.ts';

/** `castellan key forget`: destroys all older keys of this data folder at once, also while the stack is stopped. */
export const keyForget = async (
  context: CommandContext,
  {
    yes = false,
  }: {
    readonly yes?: boolean;
  },
  restart: typeof restartApi = restartApi,
): Promise<void> => {
  const { home, terminal } = context;
  const { configEncryptionKey, previousKeys, keyRecordFault } = await readInstallation(home);
  if (keyRecordFault?.kind === 'unusable') throw new CommandFailure(keyRecordFault.why);
  const keyIds = previousKeys.map(keyIdOf);
  const copies = (await countDamagedCopies(home)) + (keyRecordFault === null ? 0 : 1);
  const status = await askLocalApi(home, secretsHttp.status).catch(nullWhenAway);
  if (status !== null && status.currentKeyId !== keyIdOf(configEncryptionKey))
    throw new CommandFailure(
      'The API still runs with another key than the one in .env, so nothing was destroyed. Run first: castellan restart api',
    );
  const loaded = status?.keys.filter(({ state }) => state === 'previous') ?? [];
  if (keyIds.length + copies + loaded.length === 0)
    return terminal.say('There is no older key. Castellan has only the one in use.');
  terminal.say(whatIsLost(keyIds, copies, status));
  if (!yes) await demandConfirmation();
  await editEnvFile(stackEnvPath(home), { CONFIG_ENCRYPTION_KEY_PREVIOUS: null });
  await removeRecordedKeys(home, keyIds);
  await removeDamagedCopies(home);
  terminal.say(
    `The older keys are destroyed. Backups that were taken while they were in use still hold them: ${backupsFolder(home)}`,
  );
  if (status === null && (await callSupervisor(home, stackControl.status)) === null) return;
  terminal.say('Restarting the API, which still knows them …');
  await restart(context).catch((error: Error) => {
    throw new CommandFailure(
      `The older keys are destroyed, but the running API still knows them until you run: castellan restart api. ${error.message}`,
    );
  });
  terminal.say('Done.');
};

const whatIsLost = (keyIds: readonly string[], copies: number, status: SecretsStatus | null): string => {
  const countOf = (keyId: string) => status?.keys.find((key) => key.keyId === keyId)?.count ?? 0;
  const lines = keyIds.map((keyId) =>
    status === null ? `  ${keyId}` : `  ${keyId}, which ${inWords(countOf(keyId))} still use`,
  );
  const lost = keyIds.reduce((sum, keyId) => sum + countOf(keyId), 0);
  return [
    `Older encryption keys: ${keyIds.length}`,
    ...lines,
    ...(copies > 0 ? [`Damaged files with keys, which are deleted, too: ${copies}`] : []),
    status === null
      ? 'The API does not say how many secrets still use them. What does cannot be read afterwards and has to be entered again.'
      : lost > 0
        ? `${inWords(lost)} cannot be read afterwards and have to be entered again. To lose none, run this instead: castellan key rotate`
        : 'No secret uses them any more.',
  ].join('\n');
};

const inWords = (secrets: number): string => (secrets === 1 ? '1 secret' : `${secrets} secrets`);

const demandConfirmation = async (): Promise<void> => {
  if (!process.stdin.isTTY)
    throw new CommandFailure(
      'Nothing was destroyed. Confirm with: castellan key forget --yes',
      exitCodes.usage,
    );
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question('Destroy the older keys? This cannot be undone. (yes/no) ');
    if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure('Nothing was destroyed.');
  } finally {
    lines.close();
  }
};
