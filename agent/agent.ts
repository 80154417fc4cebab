import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ProcessReport } from '#contracts/agent-tasks.ts';
import { games } from '#contracts/games.ts';
import { gameOf } from '#games/games.ts';
import type { GameLinkOptions } from '#games/link/game-link.ts';
import type { Log } from '#runtime/log.ts';
import { type CommandedGame, openCommandExecutor } from './commands/command-executor.ts';
import { openAgentKey } from './configuration/agent-key.ts';
import type { AgentConfig } from './configuration/config.ts';
import { holdStateFolder } from './configuration/state-folder.ts';
import { type ConnectionTiming, connectionTiming } from './connection/connection-timing.ts';
import { keepConnected } from './connection/connector.ts';
import { createOutbox } from './connection/outbox.ts';
import { createEventBuffer } from './game/event-buffer.ts';
import { type GameView, openGameView } from './game/game-view.ts';
import { createLogAnswers } from './game/log-answers.ts';
import { followLog } from './game/log-tail.ts';
import { openNoConsole } from './game/no-console.ts';
import { createWatchedLines } from './game/watched-lines.ts';
import { historyHandler } from './history/history-handler.ts';
import { openLineHistory } from './history/line-history.ts';
import { createLineMask } from './history/masked-lines.ts';
import { openCommandJournal } from './journal/command-journal.ts';
import { followHeldLines, type LinesCursor, lastHeldLines, readLinesCursor } from './power/held-lines.ts';
import { ownProgram } from './power/holder/launch-holder.ts';
import { machineFactsOf } from './power/machine-facts.ts';
import { openStartWay } from './power/open-way.ts';
import { openPower, type Power, type PowerOptions } from './power/power.ts';
import { powerTask } from './power/power-task.ts';
import type { RunCommand } from './saves/autosave.ts';
import { openServerSaves, savesSettings, settleRestore } from './saves/server-saves.ts';
import { survivorHandler } from './survivors/survivor-handler.ts';
import { openTaskExecutor } from './tasks/task-executor.ts';
import type { TaskHandlers } from './tasks/task-handlers.ts';
import { openTaskJournal } from './tasks/task-journal.ts';
import { createTaskOutbox, type MachineSource } from './tasks/task-outbox.ts';
import { createUpload } from './tasks/task-upload.ts';

export interface AgentOptions {
  readonly config: AgentConfig;
  readonly log: Log;
  /** The agent cannot go on, such as when its disk is full. */
  readonly onFailure: (error: unknown) => void;
  readonly timing?: Partial<ConnectionTiming>;
  readonly linkTiming?: GameLinkOptions['timing'];
  readonly askMs?: number;
  readonly logPollMs?: number;
  readonly powerTiming?: PowerOptions['timing'];
  /** What starts a holder of the game; this program unless told. */
  readonly holderProgram?: readonly string[];
  /** By kind; what has none is refused. */
  readonly handlers?: TaskHandlers;
}

/** Of a crash report. */
const lastLines = 50;

/** The agent, from its journal to its connection; stops in the reverse order. */
export const startAgent = async (options: AgentOptions): Promise<AsyncDisposable> => {
  const { config, log, onFailure, timing, linkTiming, askMs, logPollMs } = options;
  const { logFile, serverId, secret, stateFolder } = config;
  const resources = new AsyncDisposableStack();
  try {
    resources.use(await holdStateFolder(stateFolder));
    const key = await openAgentKey(stateFolder);
    const game = gameOf(config.game);
    const journal = resources.use(
      await openCommandJournal({ stateFolder, agentKey: key.publicKey, log, game }),
    );

    const powerFolder = join(stateFolder, 'power');
    const held = readsHeldConsole(config) ? readLinesCursor(powerFolder) : null;
    const events = createEventBuffer(log, undefined, held?.event);
    const lines = createWatchedLines();
    const history = resources.use(await openLineHistory({ stateFolder, ...config.history, log }));
    const lineMask = createLineMask(game, [secret, ...(config.console ? [config.console.password] : [])]);
    const show = (line: string, ageMs?: number) => {
      lines.add(line, ageMs);
      history.add(lineMask.mask(line), ageMs);
    };
    const outbox = createOutbox({ journal, events, lines });
    lines.listen(outbox.poke);
    const observe = (line: string, ageMs?: number) => {
      const observation = game.readLogLine(line);
      if (!observation) return;
      events.add(observation, ageMs);
      outbox.poke();
    };
    // The same line comes twice where the log is followed and the console shows it, too: one of them is read.
    const onConsoleLine = (line: string) => {
      show(line);
      if (logFile === null) observe(line);
    };
    const view = resources.use(
      config.console
        ? openGameView({ game, target: config.console, onLine: onConsoleLine, log, askMs, linkTiming })
        : openNoConsole(log),
    );
    const answers = createLogAnswers(logFile === null && held === null ? {} : game);
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
    if (logFile !== null) {
      const onLine = (line: string) => {
        if (!hasLiveConsole(config)) show(line);
        answers.take(line);
        observe(line);
      };
      resources.use(await followLog({ path: logFile, onLine, log, pollMs: logPollMs }));
    }
    if (held) {
      const onLine = (line: string, ageMs: number) => {
        show(line, ageMs);
        answers.take(line);
        observe(line, ageMs);
      };
      resources.use(followHeldLines({ powerFolder, from: held, events, onLine, log, pollMs: logPollMs }));
    }
    await settleRestore(config, log);
    const power = await startPower(options, powerFolder, view);
    if (power) resources.use(power);
    const settings = savesSettings(config);
    const saves =
      settings &&
      resources.use(
        openServerSaves({
          config,
          settings,
          run: () => (view.reading().state === 'offline' ? null : consoleCommand(view)),
          whyRunning: () => whyRunning(power),
          log,
        }),
      );
    const survivors = survivorSearch(config);
    const handlers: TaskHandlers = {
      ...(config.server && { power: powerTask(power, config.server.allow.power) }),
      'console-history': historyHandler(history),
      ...(survivors && { 'survivor-number': survivorHandler(survivors) }),
      ...saves?.handlers,
      ...options.handlers,
    };
    const taskJournal = resources.use(await openTaskJournal({ stateFolder, agentKey: key.publicKey, log }));
    const taskOutbox = createTaskOutbox({
      journal: taskJournal,
      machine: machineOf(config, handlers, power),
    });
    power?.onChange(() => {
      const { state, wanted, pid, detail } = power.report();
      log.info({ state, wanted, pid, detail }, 'the game server');
      taskOutbox.processChanged();
    });
    const tasks = resources.use(
      openTaskExecutor({
        journal: taskJournal,
        handlers,
        news: taskOutbox,
        upload: createUpload({ apiUrl: config.apiUrl, identity: { serverId, secret, key } }),
        onFailure,
        log,
      }),
    );
    resources.use(
      keepConnected({
        apiUrl: config.apiUrl,
        useWebSocket: config.useWebSocket,
        identity: {
          serverId,
          game: config.game,
          secret,
          key,
          journal: journalOf(held),
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
        },
        timing: { ...connectionTiming, ...timing },
        log,
      }),
    );
    return resources;
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
};

/** Beside the commands of the API, which must not wait for a large world to be saved. */
const consoleCommand =
  (view: GameView): RunCommand =>
  (command, timeoutMs) =>
    view.run(command, { timeoutMs, signal: new AbortController().signal });

/** As far as the agent starts the game itself: nothing may start it while its saves are replaced. */
const whyRunning = (power: Power | null): string | null => {
  const state = power?.report().state ?? 'unmanaged';
  return ['unmanaged', 'stopped', 'crash-looping'].includes(state)
    ? null
    : `The game server is ${state}. Stop it first.`;
};

/** Null where nothing says where an ARK server keeps its world. */
const survivorSearch = ({ game, server, survivorsFolder }: AgentConfig) => {
  const folder = survivorsFolder ?? server?.folder;
  if (folder === undefined || !gameOf(game).store.needsSurvivorNumber) return null;
  return { folder, command: server?.start.by === 'holder' ? server.start.command : [] };
};

/** Numbers of events go on where the lines that they come from do. */
const journalOf = (held: LinesCursor | null): string =>
  held?.journal ?? randomBytes(12).toString('base64url');

/** Null where nothing says how the game is started. */
const startPower = async (
  { config, log, powerTiming, holderProgram = ownProgram() }: AgentOptions,
  powerFolder: string,
  view: GameView,
): Promise<Power | null> => {
  const way = config.server && (await openStartWay(config.server, powerFolder, holderProgram));
  if (!way) return null;
  return openPower({
    powerFolder,
    way,
    game: gameOf(config.game),
    console: view,
    lastLines: (first) => lastHeldLines(powerFolder, first, lastLines),
    log,
    timing: powerTiming,
  });
};

/** What the holder writes down stands for a log, where the game's console shows none by itself. */
const readsHeldConsole = (config: AgentConfig): boolean =>
  config.server?.start.by === 'holder' && config.logFile === null && !hasLiveConsole(config);

/** Its lines come by themselves; of the other games only the log shows any. */
const hasLiveConsole = ({ game }: AgentConfig): boolean => games[game].protocol === 'telnet';

const machineOf = (config: AgentConfig, handlers: TaskHandlers, power: Power | null): MachineSource => ({
  facts: () => machineFactsOf(config, handlers),
  process: () => power?.report() ?? unmanaged,
});

/** Nothing here says how the game is started. */
const unmanaged: ProcessReport = {
  state: 'unmanaged',
  wanted: null,
  detail: null,
  pid: null,
  upMs: null,
  crashes: 0,
  nextStartInMs: null,
  lastCrash: null,
};
