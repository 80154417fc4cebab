import type { ProcessReport } from '#contracts/servers/agent-tasks.ts';
import { gameOf } from '#games/games.ts';
import type { Log } from '#runtime/log.ts';
import type { AgentConfig } from '../configuration/config.ts';
import type { ServerConfig } from '../configuration/server-section.ts';
import type { TaskHandler } from '../tasks/task-handlers.ts';
import type { PowerConsole } from './bring-down.ts';
import { lastHeldLines } from './held-lines.ts';
import { modIdsFile, readModIds } from './mods-mark.ts';
import { openPower, type Power } from './power.ts';
import { powerTask } from './power-task.ts';
import { openHolderWay } from './ways/holder-way.ts';
import type { StartWay } from './ways/start-way.ts';
import { openSystemdWay } from './ways/systemd-way.ts';
import { openWindowsServiceWay } from './ways/windows-service-way.ts';

/** The agent's control over the game's process, as far as the machine's owner allows it. */
export interface GamePower extends AsyncDisposable {
  readonly task: TaskHandler<'power'>;
  /** Null when nothing on the machine says how the game is started. */
  readonly power: Power | null;
  report(): ProcessReport;
  onChange(listener: () => void): void;
}

/** In a crash report. */
const mostLines = 50;

export const startGamePower = async (options: {
  readonly config: Pick<AgentConfig, 'server' | 'game' | 'stateFolder'>;
  readonly powerFolder: string;
  readonly console: PowerConsole;
  readonly whyNotStart: Parameters<typeof openPower>[0]['whyNotStart'];
  /** Removes secrets from the game's output. */
  readonly maskLine: (line: string) => string;
  readonly log: Log;
  readonly timing: Parameters<typeof openPower>[0]['timing'];
  /** The command that starts a holder. */
  readonly holderProgram: readonly string[];
}): Promise<GamePower> => {
  const { config, powerFolder, console, whyNotStart, maskLine, log, timing, holderProgram } = options;
  const { server } = config;
  const way = server && (await openStartWay(server, powerFolder, holderProgram, config.stateFolder));
  if (!way) return unmanaged;
  const power = await openPower({
    powerFolder,
    way,
    game: gameOf(config.game),
    console,
    whyNotStart,
    lastLines: async (first) => (await lastHeldLines(powerFolder, first, mostLines)).map(maskLine),
    log,
    timing,
  });
  return {
    task: powerTask(power, server.allow.power),
    power,
    report: power.report,
    onChange(listener) {
      power.onChange(() => {
        const { state, wanted, pid, detail } = power.report();
        log.info({ state, wanted, pid, detail }, 'game server state changed');
        listener();
      });
    },
    [Symbol.asyncDispose]: () => power[Symbol.asyncDispose](),
  };
};

const unmanaged: GamePower = {
  task: powerTask(null, false),
  power: null,
  report: () => ({
    state: 'unmanaged',
    wanted: null,
    detail: null,
    pid: null,
    upMs: null,
    crashes: 0,
    nextStartInMs: null,
    lastCrash: null,
  }),
  onChange: () => undefined,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** Null when the machine's owner has chosen none. */
const openStartWay = async (
  server: ServerConfig,
  powerFolder: string,
  program: readonly string[],
  stateFolder: string,
): Promise<StartWay | null> => {
  const { start } = server;
  switch (start.by) {
    case 'holder':
      return openHolderWay({
        powerFolder,
        server,
        start,
        program,
        modIds: () => readModIds(modIdsFile(stateFolder)),
      });
    case 'systemd':
      return openSystemdWay(start.unit);
    case 'windows-service':
      return openWindowsServiceWay(start.service);
    case 'none':
      return null;
  }
};
