import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gameOf } from '#games/games.ts';
import { createLog } from '#runtime/log.ts';
import { agentMain } from '../../testing/agent-process.ts';
import type { PowerConsole } from '../bring-down.ts';
import type { PowerRequest } from '../current-action.ts';
import { lastHeldLines } from '../held-lines.ts';
import { readHolderRecord } from '../holder/holder-record.ts';
import { openPower, type Power } from '../power.ts';
import type { PowerTiming } from '../power-timing.ts';
import { killFamily } from '../process/game-family.ts';
import { openHolderWay } from '../ways/holder-way.ts';
import type { StartWay } from '../ways/start-way.ts';

export const holderProgram = [process.execPath, agentMain] as const;

/** Short, so that a test sees several crashes. */
export const quickTiming: Partial<PowerTiming> = {
  pollMs: 50,
  settleMs: 300,
  shutdownMs: 3000,
  terminateMs: 2000,
  programLookMs: 200,
  crashes: {
    backOff: { firstMs: 50, mostMs: 200, jitter: 0.25 },
    crashes: 5,
    withinMs: 600_000,
    stableMs: 300_000,
  },
};

/** For a game without a console. */
export const noConsole: PowerConsole = {
  obstacle: async () => 'connection refused',
  run: async () => ({
    outcome: 'connection refused',
    sent: false,
    reply: null,
    truncated: false,
    durationMs: 0,
  }),
};

export interface TestPower extends AsyncDisposable {
  readonly power: Power;
  readonly way: StartWay;
  readonly powerFolder: string;
  readonly logged: string[];
  /** How often the agent has looked for the program. */
  programLooks(): number;
  act(action: PowerRequest['action'], countdown?: PowerRequest['countdown']): ReturnType<Power['act']>;
}

export interface TestPowerOptions {
  /** Holds the state and, by default, the game. */
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  readonly gameFolder?: string;
  readonly console?: PowerConsole;
  readonly whyNotStart?: () => Promise<string | null>;
  readonly timing?: Partial<PowerTiming>;
  /** The account that the game runs under. */
  readonly account?: string;
  /** The command that starts a holder. */
  readonly program?: readonly string[];
}

/** Power over a real holder, in this process. Disposing it leaves the game running, like the end of an agent. */
export const startTestPower = async (options: TestPowerOptions): Promise<TestPower> => {
  const { folder, command, gameFolder = folder, console = noConsole, timing } = options;
  const { account = null, program = holderProgram } = options;
  const powerFolder = join(folder, 'power');
  await mkdir(powerFolder, { recursive: true, mode: 0o700 });
  const logged: string[] = [];
  const opened = await openHolderWay({
    powerFolder,
    server: { folder: gameFolder },
    start: { by: 'holder', command, account },
    program,
  });
  let programLooks = 0;
  const way: StartWay = {
    ...opened,
    inspect(known) {
      programLooks += 1;
      return opened.inspect(known);
    },
  };
  const power = await openPower({
    powerFolder,
    way,
    game: gameOf('minecraft'),
    console,
    whyNotStart: options.whyNotStart ?? (async () => null),
    lastLines: (first) => lastHeldLines(powerFolder, first, 50),
    log: createLog({ component: 'agent', destination: { write: (line) => void logged.push(line) } }),
    timing: { ...quickTiming, ...timing },
  });
  return {
    power,
    way,
    powerFolder,
    logged,
    programLooks: () => programLooks,
    act: (action, countdown = null) =>
      power.act({
        action,
        countdown,
        task: null,
        signal: new AbortController().signal,
        onStep: () => undefined,
      }),
    [Symbol.asyncDispose]: () => power[Symbol.asyncDispose](),
  };
};

/** Ends everything that a test has started, including its holder. */
export const endLaunched = async (folder: string): Promise<void> => {
  const record = await readHolderRecord(join(folder, 'power')).catch(() => null);
  if (!record) return;
  await killFamily(record);
};
