import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gameOf } from '#games/games.ts';
import { createGameLink } from '#games/link/game-link.ts';
import { ConfigError } from '#runtime/env.ts';
import { demandOwned } from '#runtime/owned-path.ts';
import { printable } from '#runtime/printable.ts';
import { StartupError } from '#runtime/program.ts';
import { asOwnerOf } from '../configuration/as-owner.ts';
import { type AgentConfig, readAgentConfig } from '../configuration/config.ts';
import { exitCodes } from '../configuration/exit-codes.ts';
import { isAutosavePaused, type RunCommand } from '../saves/autosave.ts';
import { type ListedBackup, listBackups } from '../saves/backup-folder.ts';
import { backupSaves, type SavesSettings } from '../saves/backup-saves.ts';
import { readRestore, readUndone } from '../saves/restore-journal.ts';
import { confirmRestore, restoreSaves } from '../saves/restore-saves.ts';
import { inWords } from '../saves/saves-error.ts';
import { configuredWhyNotStopped, savesSettings } from '../saves/server-saves.ts';
import { undoRestore } from '../saves/undo-restore.ts';
import type { Action, ActionContext } from './action.ts';

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

const describe = ({ name, files, bytes, storedBytes, notes }: ListedBackup): string =>
  [`${name}  ${files} files, ${megabytes(bytes)}, ${megabytes(storedBytes)} stored`, ...notes].join('\n    ');

const works: Readonly<
  Record<
    string,
    (work: {
      readonly config: AgentConfig;
      readonly settings: SavesSettings;
      readonly name: string | undefined;
      readonly signal: AbortSignal;
      readonly say: (text: string) => void;
    }) => Promise<void>
  >
> = {
  async list({ settings, say }) {
    const backups = await listBackups(settings.backupFolder);
    say(backups.length === 0 ? 'There is no backup yet.' : backups.map(describe).join('\n'));
    const journal = await readRestore(settings.stateFolder);
    if (journal?.stage === 'swapped')
      say(
        `${journal.backup} was restored. The previous saves are kept until you run: saves confirm, or saves undo`,
      );
    const undone = await readUndone(settings.stateFolder);
    if (undone) say(keptAfterUndo(undone.folders));
  },
  async backup({ config, settings, signal, say }) {
    const { console: target } = config;
    await using link = target ? createGameLink({ game: gameOf(config.game), target, keepOpen: false }) : null;
    const goOn = gameOf(config.game).saves.pause?.resume;
    // Cancelling the backup must not cancel the command that turns the game's own saving on again.
    const signalFor = (command: string) => (command === goOn ? undefined : signal);
    const run: RunCommand | null =
      link && ((command, timeoutMs) => link.run(command, { timeoutMs, signal: signalFor(command) }));
    try {
      say(describe(await backupSaves({ settings, run, signal, onProgress: () => undefined })));
    } finally {
      if (await isAutosavePaused(settings.stateFolder))
        say(
          `The game does not save by itself now. A running agent corrects that. Without one, enter in the game's console: ${goOn}`,
        );
    }
  },
  async restore({ config, settings, name, signal, say }) {
    const backup = name ?? '';
    const whyNotStopped = () => configuredWhyNotStopped(config);
    await restoreSaves({ settings, backup, whyNotStopped, signal, onProgress: () => undefined });
    say(
      'The saves were restored. Start the game and check them. Then delete the previous saves with saves confirm, or put them back with saves undo',
    );
  },
  async undo({ config, settings, say }) {
    const whyNotStopped = () => configuredWhyNotStopped(config);
    const folders = await undoRestore({ settings, backup: null, whyNotStopped });
    say(`The previous saves are back.\n${keptAfterUndo(folders)}`);
  },
  async confirm({ settings, say }) {
    const isDone = await confirmRestore(settings);
    say(isDone ? 'The previous saves were deleted.' : 'No restore waits for confirmation.');
  },
};

const keptAfterUndo = (folders: readonly string[]): string =>
  `The saves from the undone restore are kept until you run: saves confirm\n    ${folders.join('\n    ')}`;

const readArguments = (args: readonly string[]) => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { config: { type: 'string', default: 'config.json' } },
    });
    const [what = 'list', name] = positionals;
    const needsName = what === 'restore';
    const isFit = Object.hasOwn(works, what) && positionals.length <= 2 && needsName === (name !== undefined);
    return isFit ? { work: works[what], name, configPath: resolve(values.config) } : null;
  } catch {
    return null;
  }
};

const doWork = async (
  { work, name, configPath }: NonNullable<ReturnType<typeof readArguments>>,
  { say }: ActionContext,
): Promise<string | null> => {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    await demandOwned(dirname(configPath), configPath);
    const config = await readAgentConfig(configPath);
    const settings = savesSettings(config);
    if (!settings)
      return `${configPath} names no server.folder, so the agent cannot find the saves. Run setup first.`;
    await work?.({ config, settings, name, signal: stopping.signal, say: (text) => say(`${text}\n`) });
    return null;
  } catch (error) {
    if (stopping.signal.aborted) return 'Cancelled. Nothing was left half done.';
    if (error instanceof ConfigError || error instanceof StartupError) return error.message;
    return inWords(error);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
};

export const savesAction: Action = {
  usage: '[list|backup|restore <backup>|undo|confirm] [--config <file>]',
  summary: "back up the game's saves, or restore a backup while the game is stopped",
  async run(args, context) {
    const wanted = readArguments(args);
    if (!wanted) {
      context.complain('Usage: saves [list|backup|restore <backup>|undo|confirm] [--config <file>]');
      return exitCodes.usage;
    }
    // The service's account could not use files that root creates in its folders.
    const fault = await asOwnerOf(dirname(wanted.configPath), () => doWork(wanted, context));
    if (fault === null) return 0;
    context.complain(printable(fault));
    return exitCodes.failure;
  },
};
