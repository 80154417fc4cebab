import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sinceBootMs } from '../../power/process/process-identity.ts';
import type { Sighting, StartWay } from '../../power/ways/start-way.ts';

interface Run {
  readonly id: string;
  readonly startedMs: number;
  /** Names of the mods that it has loaded; null while it comes up. */
  loaded: readonly string[] | null;
}

/** A service manager and its game, which people operate at the same time as the agent; every look and every order takes a while. */
export interface HandledGame {
  readonly way: StartWay;
  run(): Run | null;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): void;
}

/** @param random at least 0 and below 1. @param restarts its manager restarts it after a crash */
export const openHandledGame = (root: string, random: () => number, restarts: boolean): HandledGame => {
  let run: Run | null = null;
  let count = 0;
  let changing: 'running' | 'stopped' | null = null;
  let last: { readonly wasStopped: boolean; readonly ranMs: number } | null = null;
  const within = (ms: number) => delay(random() * ms);

  const end = (one: Run, wasStopped: boolean) => {
    if (run !== one) return;
    run = null;
    last = { wasStopped, ranMs: sinceBootMs() - one.startedMs };
    if (!wasStopped && restarts) void start();
  };
  const live = async (one: Run) => {
    if (random() < 0.5) await within(60);
    const names = await readdir(join(root, 'mods')).catch(() => []);
    await within(60);
    if (names.some((name) => name.startsWith('Bad'))) {
      await within(100);
      return end(one, false);
    }
    one.loaded = names.toSorted();
  };
  const start = async () => {
    if (run || changing) return;
    changing = 'running';
    if (random() < 0.5) await within(40);
    changing = null;
    count += 1;
    run = { id: `run ${count}`, startedMs: sinceBootMs(), loaded: null };
    void live(run);
  };
  const stop = async () => {
    const one = run;
    if (!one || changing) return;
    changing = 'stopped';
    await within(60);
    changing = null;
    end(one, true);
  };
  const sighting = (): Sighting => {
    if (changing) return { is: 'changing', to: changing };
    if (run)
      return { is: 'running', launch: run.id, pid: null, upMs: sinceBootMs() - run.startedMs, detail: null };
    if (!last) return { is: 'absent' };
    const { wasStopped, ranMs } = last;
    const exit = { code: wasStopped ? 0 : 1, signal: null };
    return { is: 'ended', launch: null, exit, ranMs, firstLine: null, wasStopped, detail: null };
  };
  return {
    run: () => run,
    start,
    stop,
    kill() {
      if (run) end(run, false);
    },
    way: {
      method: 'systemd',
      takesShutdownCommand: false,
      async look() {
        const seen = sighting();
        await within(15);
        return seen;
      },
      async start() {
        await within(10);
        void start();
        return null;
      },
      inspect: async () => null,
      explain: async () => null,
      async stop() {
        await within(10);
        void stop();
        return null;
      },
      async kill() {
        if (run) end(run, true);
        return null;
      },
      write: null,
      onChange: () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    },
  };
};
