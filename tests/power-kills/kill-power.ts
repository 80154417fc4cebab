import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { signalProcess } from '#runtime/live-process.ts';
import { createLog } from '#runtime/log.ts';
import { openLineHistory } from '../../agent/history/line-history.ts';
import { type ApiPeer, startApiPeer } from '../../agent/testing/api-peer.ts';
import { type HeldServer, seeded, startHeldServer } from './held-server.ts';

/** A game that writes a numbered line every few milliseconds. */
export const chattyGame = [process.execPath, join(import.meta.dirname, 'numbered-game.ts')];

/** Prepares a kill, resolves when it is due. @returns what to do once the victim is dead */
export type Moment = (at: { readonly server: HeldServer; readonly peer: ApiPeer }) => Promise<() => unknown>;

const nothing = () => undefined;
const lines = (peer: ApiPeer, count: number) => {
  const before = peer.events.length;
  return eventually(() => expect(peer.events.length).toBeGreaterThanOrEqual(before + count), 30_000);
};

export const namedMoments = {
  /** The game has just been recorded as running. */
  started: async () => nothing,
  /** Lines of it have reached the API. */
  read: async ({ peer }) => {
    await lines(peer, 5);
    return nothing;
  },
  /** Lines have reached the API, and the agent does not know that. */
  unacknowledged: async ({ peer }) => {
    peer.behaviour.acknowledges = false;
    await lines(peer, 5);
    return () => {
      peer.behaviour.acknowledges = true;
    };
  },
  /** The API is away, and comes back when the agent is back. */
  withoutApi: async ({ peer, server }) => {
    await lines(peer, 1);
    await peer.goAway();
    return async () => {
      await isRunning(server);
      await peer.comeBack();
    };
  },
} as const satisfies Record<string, Moment>;

export const randomMoments = (count: number, mostMs: number, seed: number): readonly Moment[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => async () => {
    await delay(random() * mostMs);
    return nothing;
  });
};

const isRunning = (server: HeldServer) =>
  eventually(() => expect(server.agent().stderr()).toContain('"state":"running"'), 30_000);

interface Reported {
  readonly state: string;
  readonly pid: number | null;
  readonly detail: string | null;
}

const reportsOf = (server: HeldServer): Reported[] =>
  server
    .agent()
    .stderr()
    .split('\n')
    .filter((line) => line.includes('"state":'))
    .map((line) => JSON.parse(line) as Reported);

/** Kills the game at each moment, and expects one new game after each. */
export const killGame = async (command: readonly string[], moments: readonly Moment[]): Promise<void> => {
  await using folder = await temporaryFolder('power');
  await using peer = await startApiPeer();
  await using server = await startHeldServer({
    folder: folder.path,
    apiUrl: peer.url,
    command,
    console: { port: await freePort(), password: 'no console' },
  });
  let pid = 0;
  const pids = new Set<number>();
  for (const moment of moments) {
    const { game } = await server.game(pid);
    pid = game.pid;
    pids.add(pid);
    const then = await moment({ server, peer });
    expect(await server.processes()).toEqual([pid]);
    process.kill(pid, 'SIGKILL');
    await then();
  }
  const { game } = await server.game(pid);
  expect(pids.size).toBe(moments.length);
  expect(pids.has(game.pid)).toBe(false);
  await eventually(async () => expect(await server.processes()).toEqual([game.pid]));
};

/** Kills the holder at each moment, and expects true reports and never two games. @returns how often the game survived */
export const killHolder = async (command: readonly string[], moments: readonly Moment[]): Promise<number> => {
  await using folder = await temporaryFolder('power');
  await using peer = await startApiPeer();
  await using server = await startHeldServer({
    folder: folder.path,
    apiUrl: peer.url,
    command,
    console: { port: await freePort(), password: 'no console' },
  });
  let livedOn = 0;
  let pid = 0;
  for (const moment of moments) {
    const { game, holder } = await server.game(pid);
    pid = game.pid;
    const then = await moment({ server, peer });
    const before = reportsOf(server).length;
    process.kill(holder.pid, 'SIGKILL');
    await then();
    // Either the game runs and its console is reported lost, or the game is back under a new holder.
    await eventually(async () => {
      const now = await server.record();
      if (now && now.holder.pid !== holder.pid && now.game) return;
      expect(reportsOf(server).slice(before).at(-1)).toMatchObject({
        state: 'running',
        pid,
        detail: expect.stringContaining('held its console has ended'),
      });
    }, 30_000);
    const left = await server.processes();
    expect(left.length).toBeLessThanOrEqual(1);
    if (left[0] !== pid) continue;
    livedOn += 1;
    signalProcess(pid, 'SIGKILL');
  }
  const { game } = await server.game(pid);
  await eventually(async () => expect(await server.processes()).toEqual([game.pid]));
  await eventually(() =>
    expect(reportsOf(server).at(-1)).toMatchObject({ state: 'running', pid: game.pid, detail: null }),
  );
  return livedOn;
};

/** A game's configuration, as setup writes it. */
export interface Layout {
  readonly game: 'minecraft' | 'ark-se';
  readonly logFile: string | null;
}

/** Kills the agent at each moment, and expects the same game and each of its lines once. @returns the number of lines */
export const killAgent = async (
  { game: id, logFile }: Layout,
  moments: readonly Moment[],
  linesAfter: number,
): Promise<number> => {
  await using folder = await temporaryFolder('power');
  const path = logFile && join(folder.path, 'game', logFile);
  await using peer = await startApiPeer();
  await using server = await startHeldServer({
    folder: folder.path,
    apiUrl: peer.url,
    command: path ? [...chattyGame, path, id] : chattyGame,
    game: id,
    ...(path && { logFile: path }),
    console: { port: await freePort(), password: 'no console' },
  });
  const { game } = await server.game();
  for (const moment of moments) {
    const then = await moment({ server, peer });
    server.agent().kill('SIGKILL');
    await server.agent().exited;
    server.startAgent();
    await then();
  }
  await isRunning(server);
  expect((await server.game()).game).toEqual(game);
  expect(await server.processes()).toEqual([game.pid]);
  await lines(peer, linesAfter);
  const seen = peer.events.map(({ text }) => Number(/^line (\d+)$/.exec(text ?? '')?.[1]));
  expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => index + 1));
  expect(peer.faults).toEqual([]);

  server.agent().kill('SIGTERM');
  await server.agent().exited;
  const stored = await storedLines(folder.path);
  expect(stored.length).toBeGreaterThanOrEqual(seen.length);
  expect(stored).toEqual(Array.from({ length: stored.length }, (_, index) => index + 1));
  return seen.length;
};

/** The numbers of the lines in the agent's history, the oldest first. */
const storedLines = async (stateFolder: string): Promise<number[]> => {
  const log = createLog({ component: 'agent', level: 'silent' });
  await using history = await openLineHistory({ stateFolder, days: 7, megabytes: 200, log });
  const stored: number[] = [];
  for (let before: string | null = null; ; ) {
    const page = await history.read({ before, search: null, limit: 1000 });
    stored.push(...(page?.lines ?? []).map(({ text }) => Number(/line (\d+)$/.exec(text)?.[1])));
    before = page?.next ?? null;
    if (before === null) return stored.reverse();
  }
};
