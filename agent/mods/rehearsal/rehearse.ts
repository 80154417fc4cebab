import { randomBytes, randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { HealthWatch } from '#contracts/servers/agent-mods.ts';
import { withoutReply } from '#contracts/servers/games.ts';
import type { ConsoleTarget } from '#games/connection.ts';
import { checkConsole } from '#games/console-check.ts';
import { gameOf } from '#games/games.ts';
import { openReadyConsole } from '#games/link/ready-console.ts';
import { Secret } from '#runtime/secret.ts';
import { bringDown, isDown, type PowerConsole, waitFor } from '../../power/bring-down.ts';
import { consoleFolder } from '../../power/holder/console-log.ts';
import { openConsoleReader } from '../../power/holder/console-reader.ts';
import { describeExit } from '../../power/launcher.ts';
import { type PowerTiming, powerTiming } from '../../power/power-timing.ts';
import { sinceBootMs } from '../../power/process/process-identity.ts';
import { openHolderWay } from '../../power/ways/holder-way.ts';
import type { StartWay } from '../../power/ways/start-way.ts';
import { quietGame, type RunCommand } from '../../saves/autosave.ts';
import { holdBackups } from '../../saves/backup-saves.ts';
import type { FolderWorker } from '../folder/folder-worker.ts';
import { commandInCopy } from './copy-paths.ts';
import { endRehearsal, markRehearsal, rehearsalPower } from './left-rehearsal.ts';
import { planRehearsal, type RehearsalPlan, type RehearsedConfig } from './why-not-rehearsed.ts';

export interface RehearsalOptions {
  readonly config: RehearsedConfig;
  readonly worker: FolderWorker;
  /** The new set: what these places in the server's folder will hold, all as absolute paths; `fresh` null: nothing. */
  readonly moves: readonly { readonly place: string; readonly fresh: string | null }[];
  readonly watch: HealthWatch;
  /** The console of the running server; null: it is down. */
  readonly run: RunCommand | null;
  /** The command that starts a holder. */
  readonly holderProgram: readonly string[];
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
  readonly timing?: Partial<PowerTiming>;
}

export type Rehearsed =
  | { readonly passed: true }
  /** `lines`: the last ones that the game wrote; the caller removes secrets from them. */
  | { readonly passed: false; readonly lines: readonly string[]; readonly why: string };

/** A crash later than this needs players. */
const longestWatchMs = 60_000;
const mostLines = 50;
const lookMs = 250;
const askMs = 5000;
/** The reason often follows a fatal line. */
const afterFatalMs = 3000;
/** A server that is thrown away has nothing to save, but may have connections to close. */
const stopTiming = { ...powerTiming, shutdownMs: 30_000, terminateMs: 15_000 };

/**
 * Starts the new set beside the server, in a copy of its folder with other ports, and stops it. Nothing of it stays: if an agent
 * is killed, `endRehearsal` of the next one removes the rest.
 * @throws the reason of `signal`, or {Error} with a message for people when there can be no rehearsal
 */
export const rehearse = async (options: RehearsalOptions): Promise<Rehearsed> => {
  const { config, worker, signal, onStep } = options;
  const { stateFolder } = config;
  await endRehearsal(stateFolder, worker);
  const plan = await planRehearsal(config, worker, signal);
  if (typeof plan === 'string') return { passed: false, lines: [], why: plan };
  try {
    onStep('The server is copied');
    await markRehearsal(stateFolder, plan.copy);
    await makeCopy(plan, options);
    const target = await setUpCopy(plan, options);
    signal.throwIfAborted();
    await using way = await openHolderWay({
      powerFolder: rehearsalPower(stateFolder),
      server: { folder: plan.copy },
      start: {
        by: 'holder',
        command: commandInCopy(plan, config.server?.folder ?? plan.folder),
        account: plan.account,
      },
      program: options.holderProgram,
    });
    onStep('The copy starts');
    const fault = await way.start(randomUUID());
    if (fault !== null) return { passed: false, lines: [], why: fault.detail };
    const seen = await watchCopy(way, target, options);
    onStep('The copy ends');
    await endCopy(way, target, options);
    return seen;
  } finally {
    await endRehearsal(stateFolder, worker);
  }
};

const makeCopy = async (
  { folder, copy, places }: RehearsalPlan,
  { config, moves, run, signal, worker }: RehearsalOptions,
): Promise<void> => {
  const asked = { game: config.game, folder, copy, places, moves };
  await worker.run('copyServer', asked, signal);
  // A backup would tell the game to save again while the worlds are copied here.
  await using _held = await holdBackups(config.saves.folder);
  const quiet = run && (await quietGame({ game: config.game, stateFolder: config.stateFolder, run }));
  try {
    await worker.run('copyWorlds', asked, signal);
  } finally {
    await quiet?.resume();
  }
};

const setUpCopy = async (
  { game, folder, copy, settings }: RehearsalPlan,
  { config, worker, signal }: RehearsalOptions,
): Promise<ConsoleTarget> => {
  const [port, consolePort] = await sparePorts(game.ports);
  const { isSafeWithoutPassword } = gameOf(config.game).layout.settings;
  const password = isSafeWithoutPassword ? '' : randomBytes(24).toString('base64url');
  const named = config.server?.folder ?? folder;
  await worker.run(
    'changeCopy',
    { game: config.game, folder, named, copy, settings, port, consolePort, password },
    signal,
  );
  return { host: '127.0.0.1', port: consolePort, password: new Secret(password) };
};

/** Consecutive ports that are free for both protocols, and one for the console. */
const sparePorts = async (count: number): Promise<[number, number]> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const first = await anyPort();
    if (first + count > 65_535) continue;
    const free = await Promise.all(Array.from({ length: count }, (_, at) => isFree(first + at)));
    const own = await anyPort();
    if (free.every(Boolean) && (own < first || own >= first + count)) return [first, own];
  }
  throw new Error('There are no free ports for a second server.');
};

const anyPort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const isFree = async (port: number): Promise<boolean> => {
  const streams = await new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(true)));
  });
  return (
    streams &&
    (await new Promise<boolean>((resolve) => {
      const socket = createSocket('udp4');
      socket.once('error', () => socket.close(() => resolve(false)));
      socket.bind({ port, exclusive: true }, () => socket.close(() => resolve(true)));
    }))
  );
};

const watchCopy = async (
  way: StartWay,
  target: ConsoleTarget,
  { config, watch, signal }: RehearsalOptions,
): Promise<Rehearsed> => {
  const mods = gameOf(config.game).mods;
  const game = gameOf(config.game);
  await using reader = openConsoleReader(consoleFolder(rehearsalPower(config.stateFolder)), 0);
  let lines: string[] = [];
  let fatal: string | null = null;
  const readOn = async () => {
    for (const { text } of await reader.readOn()) {
      lines = [...lines.slice(1 - mostLines), text];
      if (mods.isFatal(text)) fatal ??= text;
    }
  };
  const failed = (why: string): Rehearsed => ({ passed: false, lines, why });
  const beganMs = sinceBootMs();
  const readyByMs = beganMs + watch.readySeconds * 1000;
  let readyMs: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    await readOn();
    const now = await way.look();
    if (isDown(now)) {
      await readOn();
      return failed(now.is === 'ended' ? `The game ended: ${describeExit(now.exit)}` : 'The game ended.');
    }
    if (fatal !== null) {
      for (
        const untilMs = sinceBootMs() + afterFatalMs;
        sinceBootMs() < untilMs && !isDown(await way.look());
      )
        await waitFor(lookMs, [signal]);
      await readOn();
      return failed(`The game wrote: ${fatal}`);
    }
    if (readyMs === null) {
      const asked = await checkConsole({ game, target, signal, timeoutMs: askMs });
      signal.throwIfAborted();
      if (asked.outcome === 'answered') readyMs = sinceBootMs();
      else if (sinceBootMs() >= readyByMs)
        return failed(`Its console did not answer within ${watch.readySeconds} s (${asked.outcome}).`);
    } else if (sinceBootMs() - readyMs >= Math.min(watch.watchSeconds * 1000, longestWatchMs)) {
      const asked = await checkConsole({ game, target, signal, timeoutMs: askMs });
      return asked.outcome === 'answered'
        ? { passed: true }
        : failed(`Its console answers no more (${asked.outcome}).`);
    }
    await waitFor(lookMs, [signal]);
  }
};

/** In order through its console, then by force. */
const endCopy = async (
  way: StartWay,
  target: ConsoleTarget,
  { config, signal, timing }: RehearsalOptions,
): Promise<void> => {
  const game = gameOf(config.game);
  await bringDown({
    way,
    signal,
    countdown: null,
    cancelled: signal,
    // Whatever it would save is thrown away.
    game: { ...game, actions: { ...game.actions, save: null } },
    console: onceConsole(game, target),
    onCounted: async () => undefined,
    timing: { ...stopTiming, ...timing },
    onStep: () => undefined,
  });
};

/** Opens a connection for each command. */
const onceConsole = (game: ReturnType<typeof gameOf>, target: ConsoleTarget): PowerConsole => ({
  async obstacle({ timeoutMs, signal }) {
    const { outcome } = await checkConsole({ game, target, timeoutMs, signal });
    return outcome === 'answered' ? null : outcome;
  },
  async run(command, { timeoutMs, signal }) {
    const opened = await openReadyConsole(game, target, {
      connectTimeoutMs: timeoutMs,
      probeTimeoutMs: timeoutMs,
      signal,
    });
    if ('failure' in opened) return withoutReply(opened.failure.outcome);
    using connection = opened.connection;
    return await connection.run(command, { timeoutMs, signal });
  },
});
