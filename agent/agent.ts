import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { AgentRenewal } from '#contracts/agent-tasks.ts';
import { games } from '#contracts/games.ts';
import { gameOf } from '#games/games.ts';
import type { GameLinkOptions } from '#games/link/game-link.ts';
import type { Log } from '#runtime/log.ts';
import { type CommandedGame, openCommandExecutor } from './commands/command-executor.ts';
import { openAgentKey } from './configuration/agent-key.ts';
import type { AgentConfig } from './configuration/config.ts';
import { demandOwned } from './configuration/owned-path.ts';
import { holdStateFolder } from './configuration/state-folder.ts';
import type { ApiAddress } from './connection/connection.ts';
import { type ConnectionTiming, connectionTiming } from './connection/connection-timing.ts';
import { keepConnected } from './connection/connector.ts';
import { createOutbox } from './connection/outbox.ts';
import { createEventBuffer } from './game/event-buffer.ts';
import { openGameView } from './game/game-view.ts';
import { createLogAnswers } from './game/log-answers.ts';
import { followLog } from './game/log-tail.ts';
import { openNoConsole } from './game/no-console.ts';
import { createWatchedLines } from './game/watched-lines.ts';
import { openLineHistory } from './history/line-history.ts';
import { createLineMask } from './history/masked-lines.ts';
import { openCommandJournal } from './journal/command-journal.ts';
import { followHeldLines, type LinesCursor, readLinesCursor } from './power/held-lines.ts';
import { ownProgram } from './power/holder/launch-holder.ts';
import { machineFactsOf } from './power/machine-facts.ts';
import { type GamePower, type GamePowerOptions, startGamePower } from './power/start-power.ts';
import { settleRestore } from './saves/server-saves.ts';
import { openMachineTasks } from './tasks/machine-tasks.ts';
import { openTaskExecutor } from './tasks/task-executor.ts';
import type { TaskHandlers } from './tasks/task-handlers.ts';
import { openTaskJournal } from './tasks/task-journal.ts';
import { createTaskOutbox } from './tasks/task-outbox.ts';
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
  /** True with each connection that the API has acknowledged, false when it ends or none comes about. */
  readonly onConnection?: (isConnected: boolean) => void;
  /** A newer version of the agent is offered: the signed release, from the API at this address. */
  readonly onRelease?: (release: Buffer, api: ApiAddress) => void;
  readonly powerTiming?: GamePowerOptions['timing'];
  /** What starts a holder of the game; this program unless told. */
  readonly holderProgram?: readonly string[];
  /** How the update of this program stands; null while nothing newer was offered. */
  readonly renewal?: () => AgentRenewal | null;
  /** More kinds of tasks, or other ways to run them. */
  readonly handlers?: TaskHandlers;
}

export interface Agent extends AsyncDisposable {
  /** A task is under way. */
  isBusy(): boolean;
  /** What `renewal` gives is another one. */
  renewalChanged(): void;
}

/** The agent, from its journal to its connection; stops in the reverse order. */
export const startAgent = async (options: AgentOptions): Promise<Agent> => {
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
    // Opened behind the view, which its stops need.
    let powered: GamePower | null = null;
    const view = resources.use(
      config.console
        ? openGameView({
            game,
            target: config.console,
            onLine: onConsoleLine,
            isProcessUp: () => isUp(powered),
            log,
            askMs,
            linkTiming,
          })
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
    const unsettled = await settleRestore(config);
    if (unsettled !== null) log.error(unsettled);
    const power = resources.use(
      await startGamePower({
        config,
        powerFolder,
        console: view,
        whyNotStart: () => settleRestore(config),
        maskLine: lineMask.mask,
        log,
        timing: options.powerTiming,
        holderProgram: options.holderProgram ?? ownProgram(),
      }),
    );
    powered = power;
    const own = resources.use(openMachineTasks({ config, history, view, report: power.report, log }));
    const handlers: TaskHandlers = { power: power.task, ...own.handlers, ...options.handlers };
    const machine = machineFactsOf(config, handlers);
    if (config.server) log.info(machine, 'set on this machine');
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
        upload: createUpload({ apiUrl: config.apiUrl, pins, identity: { serverId, secret, key } }),
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
          onRelease: (release) =>
            options.onRelease?.(Buffer.from(release, 'base64'), { url: config.apiUrl, pins }),
        },
        timing: { ...connectionTiming, ...timing },
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

/** Names this process; before a slash, the numbering of events that goes on where the lines do that they come from. */
const journalOf = (held: LinesCursor | null): string => {
  const process = randomBytes(12).toString('base64url');
  return held ? `${held.journal}/${process}` : process;
};

/** What the holder writes down stands for a log, where the game's console shows none by itself. */
const readsHeldConsole = (config: AgentConfig): boolean =>
  config.server?.start.by === 'holder' && config.logFile === null && !hasLiveConsole(config);

/** Its lines come by themselves; of the other games only the log shows any. */
const hasLiveConsole = ({ game }: AgentConfig): boolean => games[game].protocol === 'telnet';
