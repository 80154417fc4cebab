import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '#harness/eventually.ts';
import { isAlive } from '#runtime/live-process.ts';
import { type HolderRecord, readHolderRecord } from '../../agent/power/holder/holder-record.ts';
import { killFamily } from '../../agent/power/process/game-family.ts';
import { bootId } from '../../agent/power/process/process-identity.ts';
import { type AgentProcess, startAgentFrom } from '../../agent/testing/agent-process.ts';
import { peerSecret } from '../../agent/testing/api-peer.ts';

export interface HeldServerOptions {
  readonly folder: string;
  readonly apiUrl: URL;
  readonly command: readonly string[];
  readonly console: { readonly port: number; readonly password: string };
  /** Layout as setup writes it. */
  readonly game?: 'minecraft' | 'ark-se';
  readonly logFile?: string;
  readonly settleMs?: number;
  /** Number of crashes until the game counts as crash-looping. */
  readonly crashes?: number;
  /** Owner of the game and its folder; default: the agent's own account. */
  readonly account?: string;
  /** The source of mod files; with it, mods may be changed. */
  readonly library?: string;
}

/** A game that should run, under an agent in a separate process. */
export interface HeldServer extends AsyncDisposable {
  readonly agent: () => AgentProcess;
  startAgent(): void;
  record(): Promise<HolderRecord | null>;
  /** Resolves with the game's process once it runs and differs from `notPid`. */
  game(notPid?: number): Promise<HolderRecord & { readonly game: NonNullable<HolderRecord['game']> }>;
  /** All processes with the game's folder as working directory. */
  processes(): Promise<number[]>;
}

const agentMain = join(import.meta.dirname, 'agent-main.ts');

export const startHeldServer = async (options: HeldServerOptions): Promise<HeldServer> => {
  const { folder, apiUrl, command, console, settleMs = 100, crashes = 1000 } = options;
  const { game = 'minecraft', logFile, account, library } = options;
  const gameFolder = join(folder, 'game');
  const powerFolder = join(folder, 'power');
  await mkdir(gameFolder, { recursive: true });
  await mkdir(powerFolder, { recursive: true, mode: 0o700 });
  const wanted = { wanted: 'running', action: null, launch: null, crashes: [], hasGivenUp: false };
  await writeFile(
    join(powerFolder, 'power.json'),
    JSON.stringify({ ...wanted, boot: bootId(), lastTask: null }),
  );
  const config = join(folder, 'config.json');
  await writeFile(
    config,
    JSON.stringify({
      apiUrl: String(apiUrl),
      serverId: 'server-1',
      secret: peerSecret,
      game,
      console,
      logFile,
      server: {
        folder: gameFolder,
        start: { by: 'holder', command, account },
        allow: { power: true, mods: library !== undefined },
      },
    }),
    { mode: 0o600 },
  );
  await writeFile(join(folder, 'timing.json'), JSON.stringify({ settleMs, crashes, library }));
  const start = () => startAgentFrom(agentMain, config);
  let agent = start();
  const record = () => readHolderRecord(powerFolder);

  return {
    agent: () => agent,
    startAgent() {
      agent = start();
    },
    record,
    game: (notPid) =>
      eventually(async () => {
        const now = await record();
        if (!now?.game || now.ended || now.game.pid === notPid || !isAlive(now.game.pid))
          throw new Error(`the game is not there; the agent said: ${agent.stderr().slice(-2000)}`);
        return { ...now, game: now.game };
      }, 30_000),
    async processes() {
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      const found = await Promise.all(
        pids.map(async (pid) => (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === gameFolder),
      );
      return pids
        .filter((_, index) => found[index])
        .map(Number)
        .filter(isAlive);
    },
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      const left = await record().catch(() => null);
      if (!left) return;
      await killFamily(left);
      await eventually(() => {
        if (isAlive(left.holder.pid)) throw new Error('its holder still lives');
      }, 60_000);
    },
  };
};

/** A generator of numbers from 0 to below 1 that repeats for the same seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
