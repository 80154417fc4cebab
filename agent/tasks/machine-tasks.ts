import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessReport } from '#contracts/servers/agent-tasks.ts';
import { gameOf } from '#games/games.ts';
import type { Log } from '#runtime/log.ts';
import type { AgentConfig } from '../configuration/config.ts';
import type { GameView } from '../game/game-view.ts';
import { historyHandler } from '../history/history-handler.ts';
import type { LineHistory } from '../history/line-history.ts';
import { type ServerModsOptions, serverModsHandlers } from '../mods/server-mods.ts';
import type { RunCommand } from '../saves/autosave.ts';
import { openServerSaves, savesSettings } from '../saves/server-saves.ts';
import { survivorHandler } from '../survivors/survivor-handler.ts';
import type { TaskHandlers } from './task-handlers.ts';

/** Everything on the game's machine that the API may request: lines, survivors, saves, mods. */
interface MachineTasks extends AsyncDisposable {
  readonly handlers: TaskHandlers;
}

const turnLookMs = 20;

export const openMachineTasks = ({
  config,
  history,
  view,
  report,
  mods,
  log,
}: {
  readonly config: AgentConfig;
  readonly history: LineHistory;
  readonly view: GameView;
  readonly report: () => ProcessReport;
  /** Further needs of a change of mods. */
  readonly mods: Pick<
    ServerModsOptions,
    'files' | 'power' | 'lines' | 'maskLine' | 'holderProgram' | 'turn' | 'worker'
  >;
  readonly log: Log;
}): MachineTasks => {
  const settings = savesSettings(config);
  const saves =
    settings &&
    openServerSaves({
      config,
      settings,
      run: () => (view.reading().state === 'offline' ? null : consoleCommand(view)),
      whyRunning: () => whyRunning(report()),
      log,
    });
  const changed = saves && serverModsHandlers({ config, console: view, backUp: saves.backUp, log, ...mods });
  const survivors = survivorSearch(config);
  return {
    handlers: {
      'console-history': historyHandler(history),
      ...(survivors && { 'survivor-number': survivorHandler(survivors, mods.worker) }),
      ...saves?.handlers,
      ...changed,
    },
    async [Symbol.asyncDispose]() {
      // Another agent may start in this process: a running swap of files must not meet its own look at them.
      while (mods.turn.isTaken) await delay(turnLookMs);
      await saves?.[Symbol.asyncDispose]();
    },
  };
};

/** Separate from the API's commands, which must not wait for a large world to be saved. */
const consoleCommand =
  (view: GameView): RunCommand =>
  (command, timeoutMs) =>
    view.run(command, { timeoutMs, signal: new AbortController().signal });

/** If the agent itself starts the game: nothing may start it while its saves are replaced. */
const whyRunning = ({ state, wanted }: ProcessReport): string | null => {
  // It is about to be started.
  if (state === 'stopped' && wanted === 'running') return 'The game server is meant to run. Stop it first.';
  return ['unmanaged', 'stopped', 'crash-looping'].includes(state)
    ? null
    : `The game server is ${state}. Stop it first.`;
};

/** Null when nothing says where an ARK server keeps its world. */
const survivorSearch = ({ game, server, survivorsFolder }: AgentConfig) => {
  const folder = survivorsFolder ?? server?.folder;
  if (folder === undefined || !gameOf(game).store.needsSurvivorNumber) return null;
  return { folder, command: server?.start.by === 'holder' ? server.start.command : [] };
};
