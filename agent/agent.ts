import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { AgentRenewal } from '#contracts/servers/agent-tasks.ts';
import { gameOf } from '#games/games.ts';
import type { createGameLink } from '#games/link/game-link.ts';
import { createLineMask } from '#games/masked-lines.ts';
import type { Log } from '#runtime/log.ts';
import { demandOwned } from '#runtime/owned-path.ts';
import type { WakeWatch } from '#runtime/wake-watch.ts';
import { type CommandedGame, openCommandExecutor } from './commands/command-executor.ts';
import { openAgentKey } from './configuration/agent-key.ts';
import { type AgentConfig, hasLiveConsole, readsHeldConsole } from './configuration/config.ts';
import { holdStateFolder } from './configuration/state-folder.ts';
import type { ApiAddress } from './connection/connection.ts';
import { type ConnectionTiming, connectionTiming } from './connection/connection-timing.ts';
import { keepConnected } from './connection/connector.ts';
import { createOutbox } from './connection/outbox.ts';
import { openChatReader } from './game/chat-reader.ts';
import { createEventBuffer } from './game/event-buffer.ts';
import { type GameView, openGameView } from './game/game-view.ts';
import { followKeptLog, readLogCursor } from './game/kept-log.ts';
import { machineEncoding } from './game/line-encoding.ts';
import type { LineStanding } from './game/line-standing.ts';
import { createLogAnswers } from './game/log-answers.ts';
import { openNoConsole } from './game/no-console.ts';
import { createPresentNames } from './game/present-names.ts';
import { createWatchedLines } from './game/watched-lines.ts';
import { openLineHistory } from './history/line-history.ts';
import { openCommandJournal } from './journal/command-journal.ts';
import { openFolderWorker } from './mods/folder/folder-worker.ts';
import { ownWorkerProgram } from './mods/folder/worker-process.ts';
import { createGameLines } from './mods/game-lines.ts';
import { machineModFiles } from './mods/machine-mod-files.ts';
import type { ModFiles } from './mods/mod-files.ts';
import { endRehearsal } from './mods/rehearsal/left-rehearsal.ts';
import { changeTurn, settleMods } from './mods/settle-mods.ts';
import { followHeldLines, readLinesCursor } from './power/held-lines.ts';
import { ownProgram } from './power/holder/launch-holder.ts';
import { machineFactsOf } from './power/machine-facts.ts';
import { type GamePower, startGamePower } from './power/start-power.ts';
import { settleRestore } from './saves/server-saves.ts';
import { openMachineTasks } from './tasks/machine-tasks.ts';
import { openTaskExecutor } from './tasks/task-executor.ts';
import { createTaskFiles } from './tasks/task-files.ts';
import type { TaskHandlers } from './tasks/task-handlers.ts';
import { openTaskJournal } from './tasks/task-journal.ts';
import { createTaskOutbox } from './tasks/task-outbox.ts';
import { createUpload } from './tasks/task-upload.ts';

export interface Agent extends AsyncDisposable {
  /** Whether a task is running. */
  isBusy(): boolean;
  /** Call it when the result of `renewal` has changed. */
  renewalChanged(): void;
}

/** Starts the agent, from its journal to its connection; it stops in reverse order. */
export const startAgent = async (options: {
  readonly config: AgentConfig;
  readonly log: Log;
  /** The agent cannot continue, such as when its disk is full. */
  readonly onFailure: (error: unknown) => void;
  readonly timing?: Partial<ConnectionTiming>;
  readonly wakes?: WakeWatch | undefined;
  readonly linkTiming?: Parameters<typeof createGameLink>[0]['timing'];
  readonly askMs?: number;
  readonly logPollMs?: number;
  /** Called with true for each connection that the API has acknowledged, and with false when it ends or cannot be made. */
  readonly onConnection?: (isConnected: boolean) => void;
  /** Called when the API at this address offers a newer version of the agent, with the signed release. */
  readonly onRelease?: (release: Buffer, api: ApiAddress) => void;
  readonly powerTiming?: Parameters<typeof startGamePower>[0]['timing'];
  /** The command that starts a holder of the game; this program by default. */
  readonly holderProgram?: readonly string[];
  /** The command that starts a worker in the game's folder; this program by default. */
  readonly workerProgram?: readonly string[];
  /** The state of this program's update; null until a newer version was offered. */
  readonly renewal?: () => AgentRenewal | null;
  /** The source of mod files; the machine's cache by default. */
  readonly modFiles?: ModFiles;
  /** More kinds of tasks, or replacements for their handlers. */
  readonly handlers?: TaskHandlers;
}): Promise<Agent> => {
  const { config, log, onFailure, timing, linkTiming, askMs, logPollMs } = options;
  const { logFile, serverId, secret, stateFolder, certificatePins: pins } = config;
  const resources = new AsyncDisposableStack();
  try {
    await demandOwned(stateFolder);
    resources.use(await holdStateFolder(stateFolder));
    const key = await openAgentKey(stateFolder);
    const game = gameOf(config.game);
    const journal = resources.use(
      await openCommandJournal({ stateFolder, agentKey: key.publicKey, log, game }),
    );

    const powerFolder = join(stateFolder, 'power');
    const held = readsHeldConsole(config) ? readLinesCursor(powerFolder) : null;
    const logged = logFile === null ? null : await readLogCursor(stateFolder, logFile);
    const cursor = held ?? logged;
    const events = createEventBuffer(log, undefined, cursor?.event);
    const lines = createWatchedLines();
    const gameLines = createGameLines();
    const history = resources.use(await openLineHistory({ stateFolder, ...config.history, log }));
    const lineMask = createLineMask(game, [secret, ...(config.console ? [config.console.password] : [])]);
    const outbox = createOutbox({ journal, events, lines });
    lines.listen(outbox.poke);
    // Opened after the lines that it shows.
    let shown: GameView | null = null;
    const present = createPresentNames(() => shown?.reading().players ?? null);
    const chat = await openChatReader({
      stateFolder,
      game,
      present,
      mask: lineMask.mask,
      onNews: outbox.poke,
      log,
    });
    const observe = (line: string, ageMs?: number) => {
      const observation = chat.read(line);
      present.take(observation);
      if (!observation) return;
      events.add(observation, ageMs);
      outbox.poke();
    };
    const answers = createLogAnswers(logFile === null && held === null ? {} : game);
    // When the log is followed and the console shows it too, each line arrives twice: the log's is kept, since the log waits for the agent.
    const onConsoleLine = (line: string) => {
      lines.add(line);
      if (logFile !== null) return;
      history.add(lineMask.mask(line));
      gameLines.add(line);
      observe(line);
    };
    const onKeptLine = (line: string, ageMs: number, { isKept, isObserved, position }: LineStanding) => {
      if (!isKept) {
        if (!hasLiveConsole(config)) lines.add(line, ageMs);
        history.add(lineMask.mask(line), ageMs, position);
        gameLines.add(line, ageMs);
      }
      answers.take(line);
      if (!isObserved) observe(line, ageMs);
    };
    // Opened after the view, which its stops need.
    let powered: GamePower | null = null;
    const view = resources.use(
      config.console
        ? openGameView({
            game,
            target: config.console,
            onLine: onConsoleLine,
            isProcessUp: () => isUp(powered),
            processUpMs: () => powered?.report().upMs ?? null,
            log,
            askMs,
            linkTiming,
          })
        : openNoConsole(log),
    );
    shown = view;
    const commanded: CommandedGame = {
      obstacle: view.obstacle,
      run(command, runOptions) {
        lineMask.gave(command);
        return answers.complete(command, () => view.run(command, runOptions));
      },
    };
    const executor = resources.use(
      openCommandExecutor({ journal, game: commanded, news: outbox, onFailure, log }),
    );
    const reading = { history, events, onLine: onKeptLine, log, pollMs: logPollMs };
    if (logged) {
      const encoding = config.logEncoding ?? (await machineEncoding());
      resources.use(await followKeptLog({ stateFolder, from: logged, encoding, ...reading }));
    }
    if (held) resources.use(followHeldLines({ powerFolder, from: held, ...reading }));
    const holderProgram = options.holderProgram ?? ownProgram();
    const worker = resources.use(openFolderWorker(config, options.workerProgram ?? ownWorkerProgram()));
    await endRehearsal(stateFolder, worker).catch((error: Error) => log.error(error.message));
    const turn = changeTurn();
    for (const unsettled of [await settleRestore(config), await settleMods(config, null, worker)])
      if (unsettled !== null) log.error(unsettled);
    const power = resources.use(
      await startGamePower({
        config,
        powerFolder,
        console: view,
        whyNotStart: async () => (await settleRestore(config)) ?? (await settleMods(config, turn, worker)),
        maskLine: lineMask.mask,
        log,
        timing: options.powerTiming,
        holderProgram,
      }),
    );
    powered = power;
    const asking = { apiUrl: config.apiUrl, pins, identity: { serverId, secret, key } };
    const own = resources.use(
      openMachineTasks({
        config,
        history,
        view,
        report: power.report,
        log,
        mods: {
          power: power.power,
          lines: gameLines,
          maskLine: lineMask.mask,
          holderProgram,
          turn,
          worker,
          files: options.modFiles ?? machineModFiles(config.mods, createTaskFiles(asking)),
        },
      }),
    );
    const handlers: TaskHandlers = { power: power.task, ...own.handlers, ...options.handlers };
    const machine = machineFactsOf(config, handlers);
    if (config.server) log.info(machine, 'settings of this machine');
    const taskJournal = resources.use(await openTaskJournal({ stateFolder, agentKey: key.publicKey, log }));
    const taskOutbox = createTaskOutbox({
      journal: taskJournal,
      machine() {
        const renewal = options.renewal?.() ?? null;
        return renewal ? { ...machine, renewal } : machine;
      },
      process: power.report,
      log,
    });
    power.onChange(taskOutbox.processChanged);
    const tasks = resources.use(
      openTaskExecutor({
        journal: taskJournal,
        handlers,
        news: taskOutbox,
        upload: createUpload(asking),
        onFailure,
        log,
      }),
    );
    resources.use(
      keepConnected({
        apiUrl: config.apiUrl,
        pins,
        useWebSocket: config.useWebSocket,
        onConnection: (isConnected) => options.onConnection?.(isConnected),
        identity: {
          serverId,
          game: config.game,
          secret,
          key,
          journal: journalOf(cursor),
        },
        subjects: {
          reading: view.reading,
          executor,
          events,
          lines,
          outbox,
          tasks,
          taskOutbox,
          commandJournal: journal.name,
          chat,
          onRelease: (release) =>
            options.onRelease?.(Buffer.from(release, 'base64'), { url: config.apiUrl, pins }),
        },
        timing: { ...connectionTiming, ...timing },
        wakes: options.wakes,
        log,
      }),
    );
    return {
      isBusy: tasks.isBusy,
      renewalChanged: taskOutbox.machineChanged,
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
};

const isUp = (power: GamePower | null): boolean =>
  ['starting', 'running'].includes(power?.report().state ?? 'unmanaged');

/** Names this process; before a slash, the numbering of events, which continues if their lines are read on from the same place. */
const journalOf = (kept: { readonly journal: string } | null): string => {
  const process = randomBytes(12).toString('base64url');
  return kept ? `${kept.journal}/${process}` : process;
};
