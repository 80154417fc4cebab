import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { GameId } from '#contracts/servers/games.ts';
import { freePort } from '#harness/ports.ts';
import type { GameMessage } from './game-main.ts';

export interface Gift {
  readonly player: string;
  readonly item: string;
  readonly quantity: number;
  /** The game was told not to answer it. */
  readonly isLost: boolean;
}

/** A simulated game as a process that can be killed as by `kill -9` and started again from what it had saved. */
export interface FaultGame extends AsyncDisposable {
  readonly name: string;
  readonly game: GameId;
  readonly port: number;
  readonly password: string;
  /** Ends it immediately; its players are gone. */
  kill(): Promise<void>;
  /** Starts it again, without players. */
  start(): Promise<void>;
  join(name: string, numericId: number): void;
  leave(name: string): void;
  /** Everything that ever reached a player, over all starts of the game. */
  gifts(): readonly Gift[];
}

export interface FaultGameOptions {
  readonly name: string;
  readonly game: GameId;
  readonly folder: string;
  /** Share of all gifts that get no answer, 0 to 1. */
  readonly lostAnswers: number;
  /** Share of all gifts whose answer takes 0.7 to 6 s, 0 to 1. */
  readonly slowAnswers: number;
  readonly seed: number;
}

const main = join(import.meta.dirname, 'game-main.ts');
const password = 'the-password-of-the-game';
/** The real game's is five minutes; this one is short, so that a short run has kills before, during and after a save. */
const autosaveMs = 4000;
/** No real game server comes back sooner. */
const shortestDownMs = 2000;

export const startFaultGame = async (options: FaultGameOptions): Promise<FaultGame> => {
  const { name, game, folder, lostAnswers, slowAnswers } = options;
  const port = await freePort();
  const recordFile = join(folder, `${name}.gifts`);
  let seed = options.seed;
  let killedMs = Number.NEGATIVE_INFINITY;
  let child: ChildProcess | null = null;

  const tell = (message: GameMessage) => {
    if (child?.connected) child.send(message);
  };
  const kill = async () => {
    const ending = child;
    child = null;
    killedMs = performance.now();
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = once(ending, 'exit');
    ending.kill('SIGKILL');
    await exited;
  };
  const start = async () => {
    await delay(Math.max(0, killedMs + shortestDownMs - performance.now()));
    const starting = spawn(process.execPath, [main], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child = starting;
    const ended = once(starting, 'exit').then(() => Promise.reject(new Error(`the game ${name} ended`)));
    const ready = once(starting, 'message');
    seed += 1;
    tell({
      type: 'start',
      game,
      port,
      password,
      recordFile,
      levelFile: join(folder, `${name}.level`),
      autosaveMs,
      lostAnswers,
      slowAnswers,
      seed,
    });
    ended.catch(() => undefined);
    await Promise.race([ready, ended]);
  };
  await start();

  return {
    name,
    game,
    port,
    password,
    kill,
    start,
    join: (player, numericId) => tell({ type: 'join', name: player, numericId }),
    leave: (player) => tell({ type: 'leave', name: player }),
    gifts() {
      if (!existsSync(recordFile)) return [];
      const lines = readFileSync(recordFile, 'utf8').split('\n');
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Gift);
    },
    [Symbol.asyncDispose]: kill,
  };
};
