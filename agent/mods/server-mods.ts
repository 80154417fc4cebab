import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { InspectedMod, ModFile, ModsList } from '#contracts/servers/agent-mods.ts';
import { largestTaskResult, type TaskResult } from '#contracts/servers/agent-tasks.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { fingerprintFile } from '#games/curseforge-fingerprint.ts';
import { gameOf } from '#games/games.ts';
import { ArchiveError } from '#runtime/archives/archive.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import type { AgentConfig } from '../configuration/config.ts';
import type { PowerConsole } from '../power/bring-down.ts';
import type { Power } from '../power/power.ts';
import type { RunCommand } from '../saves/autosave.ts';
import { type BackupOptions, holdBackups } from '../saves/backup-saves.ts';
import { demandAnswer } from '../saves/save-places.ts';
import { SavesError } from '../saves/saves-error.ts';
import { configuredWhyNotStopped, settleRestore } from '../saves/server-saves.ts';
import type { TaskHandlers, TaskRun } from '../tasks/task-handlers.ts';
import { createModsChanger, type ModsRehearsal } from './change-mods.ts';
import type { FolderWorker } from './folder/folder-worker.ts';
import { FolderWorkerError } from './folder/worker-errors.ts';
import type { GameLines } from './game-lines.ts';
import { listMods } from './list-mods.ts';
import { ModFileError, type ModFiles } from './mod-files.ts';
import { ModsError, modsWords } from './mods-error.ts';
import { rehearse } from './rehearsal/rehearse.ts';
import { whyNotRehearsed } from './rehearsal/why-not-rehearsed.ts';
import type { ChangeTurn } from './settle-mods.ts';
import { fetchItems } from './steamcmd/fetch-items.ts';

/** Downloads a file into the cache, and reports its contents. */
const inspectMod = async (
  file: ModFile,
  { game, files, run }: { readonly game: GameId; readonly files: ModFiles; readonly run: TaskRun },
): Promise<InspectedMod> => {
  await using held = await files.fetch(file, {
    taskId: run.id,
    signal: run.signal,
    onProgress: (done, total) => run.progress({ step: 'download', done, total }),
  });
  const { path, bytes, sha512, sha1 } = held;
  run.progress({ step: 'verify', done: 0, total: null });
  const fingerprint = await fingerprintFile(path, run.signal);
  return { bytes, sha512, sha1, fingerprint, content: await contentOf(path, game) };
};

const contentOf = async (path: string, game: GameId): Promise<InspectedMod['content']> => {
  try {
    await using archive = await openArchive(path);
    return (await gameOf(game).mods.inspect(archive)).content;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return { is: 'unknown', why: error.message.slice(0, 500) };
  }
};

export interface ServerModsOptions {
  readonly config: AgentConfig;
  readonly files: ModFiles;
  readonly power: Power | null;
  readonly console: PowerConsole;
  readonly lines: GameLines;
  readonly maskLine: (line: string) => string;
  readonly backUp: (options: Pick<BackupOptions, 'signal' | 'onProgress'>) => Promise<unknown>;
  /** The command that starts a holder. */
  readonly holderProgram: readonly string[];
  readonly turn: ChangeTurn;
  readonly worker: FolderWorker;
  readonly log: Log;
}

const refused = (detail: string): TaskResult => ({ outcome: 'refused', detail, value: null });
const notAllowed =
  'The owner of the game\'s machine does not allow changing mods. Set "allow": {"mods": true} there.';

const questionMs = 5000;

/** In a copy beside the server; its world is copied while the running game does not write it. */
const rehearsalOf = ({
  config,
  console,
  maskLine,
  holderProgram,
  worker,
}: ServerModsOptions): ModsRehearsal => ({
  whyNot: () => whyNotRehearsed(config, worker),
  async run(asked) {
    const { signal } = asked;
    const isUp = (await console.obstacle({ timeoutMs: questionMs, signal })) === null;
    const run: RunCommand = (command, timeoutMs) =>
      console.run(command, { timeoutMs, signal: new AbortController().signal });
    const seen = await rehearse({ ...asked, config, worker, holderProgram, run: isUp ? run : null }).catch(
      (error: Error) => {
        signal.throwIfAborted();
        throw new ModsError(`The new mods could not be rehearsed: ${error.message}`, { cause: error });
      },
    );
    return seen.passed ? seen : { ...seen, why: maskLine(seen.why), lines: seen.lines.map(maskLine) };
  },
});

/** With steamcmd, if the machine's owner has configured it for a game that uses Workshop ids. */
const proveIds = ({
  game,
  mods,
  stateFolder,
}: AgentConfig): Parameters<typeof createModsChanger>[0]['proveIds'] => {
  const { steamcmd } = mods;
  const app = gameOf(game).mods.sourceNumbers.steam;
  if (steamcmd === null || app === null) return null;
  return async (ids, run) => {
    const results = await fetchItems({
      program: steamcmd,
      app,
      folder: join(stateFolder, 'workshop'),
      ids,
      signal: run.signal,
      onItem: (_, done, total) => run.progress({ step: 'download', done, total }),
    });
    const bad = [...results].flatMap(([id, item]) => (item.is === 'failed' ? `${id}: ${item.why}` : []));
    if (bad.length > 0) throw new ModsError(`steamcmd cannot fetch ${bad.join(' ')}`);
  };
};

/** The operations on a server's mods that the API may request; null when the server's folder is unknown. */
export const serverModsHandlers = (options: ServerModsOptions): TaskHandlers | null => {
  const { config, files, power, console, lines, maskLine, backUp, turn, worker, log } = options;
  const { server, game: gameId, stateFolder } = config;
  if (!server) return null;
  const mods = gameOf(gameId).mods;
  const args = server.start.by === 'holder' ? server.start.command : [];
  const root = async () => {
    await demandAnswer(server.folder);
    return realpath(server.folder);
  };
  const facts = async () => worker.run('facts', { game: gameId, root: await root(), args });
  const whyNotStopped = () => configuredWhyNotStopped(config);
  const rehearsal = rehearsalOf(options);
  const changer = createModsChanger({
    gameId,
    game: gameOf(gameId),
    mods,
    stateFolder,
    root,
    facts,
    files,
    power,
    lines,
    maskLine,
    mayPower: server.allow.power,
    console: config.console ? console : null,
    whyNotStopped,
    backUp,
    rehearsal,
    proveIds: proveIds(config),
    turn,
    worker,
    log,
    async whySavesBusy() {
      const why = await settleRestore(config);
      if (why !== null) return why;
      try {
        await using _held = await holdBackups(config.saves.folder);
        return null;
      } catch (error) {
        return modsWords(error);
      }
    },
  });
  const attempt = async (work: () => Promise<TaskResult>): Promise<TaskResult> => {
    try {
      return await work();
    } catch (error) {
      if (isToldInWords(error))
        return { outcome: 'failed', detail: modsWords(error).slice(0, 2000), value: null };
      throw error;
    }
  };
  const askAgain = async () => refused('The agent was started again. Ask again.');
  return {
    'list-mods': {
      run: (_task, run) =>
        attempt(async () => {
          const list: ModsList = await listMods({
            gameId,
            mods,
            stateFolder,
            root: await root(),
            worker,
            facts: await facts(),
            args,
            isAllowed: server.allow.mods,
            whyRunning: () => changer.whyGameHinders(),
            rehearsalObstacle: (await rehearsal.whyNot())?.slice(0, 500) ?? null,
            isChanging: () => turn.isTaken,
            signal: run.signal,
          });
          await run.upload(Buffer.from(JSON.stringify(list)));
          return { outcome: 'done', detail: null, value: null };
        }),
      recover: askAgain,
    },
    'inspect-mod': {
      run: ({ file }, run) =>
        attempt(async () => {
          if (!server.allow.mods) return refused(notAllowed);
          const inspected = await inspectMod(file, { game: gameId, files, run });
          const text = JSON.stringify(inspected);
          if (Buffer.byteLength(text) <= largestTaskResult / 2)
            return { outcome: 'done', detail: null, value: inspected };
          await run.upload(Buffer.from(text));
          return { outcome: 'done', detail: null, value: null };
        }),
      recover: askAgain,
    },
    'change-mods': {
      run: ({ change }, run) =>
        attempt(async () => (server.allow.mods ? changer.change(change, run) : refused(notAllowed))),
      recover: ({ change }, run) => attempt(() => changer.recover(change, run)),
    },
  };
};

/** An error of a file, a folder or a full disk; anything else is a fault of the program. */
const isToldInWords = (error: unknown): boolean =>
  [FolderWorkerError, ModFileError, ModsError, SavesError, StartupError].some(
    (kind) => error instanceof kind,
  ) || typeof (error as NodeJS.ErrnoException).code === 'string';
