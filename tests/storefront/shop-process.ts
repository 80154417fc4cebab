import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#harness/ports.ts';
import type { Secret } from '#runtime/secret.ts';
import { createProcessNames } from '../../electron/stack/process-names.ts';
import type { ObservedEvent } from '../../server/people/players/observed-events.ts';

export type ShopMessage =
  | { readonly type: 'start'; readonly databaseUrl: string; readonly home: string; readonly port: number }
  | {
      readonly type: 'observe';
      readonly number: number;
      readonly serverId: string;
      readonly events: readonly ObservedEvent[];
    };
export type ShopAnswer =
  | { readonly type: 'ready' }
  /** The event is stored. */
  | { readonly type: 'observed'; readonly number: number };

/** The API as a process that can be killed as by `kill -9`, and stand-ins for the agents that read the games' logs for it. */
export interface ShopProcess extends AsyncDisposable {
  readonly port: number;
  /** In order for each server; unconfirmed events are sent again after a kill of the API, with the same keys. */
  tell(serverId: string, event: ObservedEvent): void;
  /** Runs `work` while the API is up and not killed. */
  steadily<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Kills at a random instant soon after and restarts. Work that needs the API is finished first. */
  killSoon(): void;
  /** When the API was last ready again, by `performance.now()`. */
  readyMs(): number;
  readonly counts: { kills: number; retold: number };
}

interface Told {
  readonly serverId: string;
  readonly event: ObservedEvent;
}

const main = join(import.meta.dirname, 'shop-api-main.ts');
const mostBeforeKillMs = 60;
/** Confirmed events that are sent again because the agent died before it had recorded the confirmation. */
const mostForgotten = 6;

export const startShopProcess = async (options: {
  readonly databaseUrl: Secret;
  readonly home: string;
  readonly random: () => number;
}): Promise<ShopProcess> => {
  const { databaseUrl, home, random } = options;
  const port = await freePort();
  const nameProcess = createProcessNames();
  const counts = { kills: 0, retold: 0 };
  const untold = new Map<number, Told>();
  let confirmed: [number, Told][] = [];
  let told = 0;
  let child: ChildProcess;
  let readyMs = 0;
  let atWork = 0;
  let isKillDue = false;
  let killing: Promise<void> | null = null;

  const send = (message: ShopMessage) => {
    if (child.connected) child.send(message);
  };
  const start = async () => {
    const env = { ...process.env, ...nameProcess() };
    child = fork(main, { env, serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const ready = Promise.withResolvers<void>();
    child.once('exit', () => ready.reject(new Error('the API of the trial has ended')));
    // It is awaited below; if the process ends later, callers notice the missing answers.
    ready.promise.catch(() => undefined);
    child.on('message', (answer: ShopAnswer) => {
      if (answer.type === 'ready') return ready.resolve();
      const line = untold.get(answer.number);
      if (!line) return;
      untold.delete(answer.number);
      confirmed = [...confirmed.slice(-mostForgotten + 1), [answer.number, line]];
    });
    send({ type: 'start', databaseUrl: databaseUrl.reveal(), home, port });
    await ready.promise;
    readyMs = performance.now();
  };
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  const kill = async () => {
    await delay(random() * mostBeforeKillMs);
    await end();
    counts.kills += 1;
    for (const [number, line] of confirmed) untold.set(number, line);
    confirmed = [];
    counts.retold += untold.size;
    await start();
    const again = [...untold].toSorted(([one], [other]) => one - other);
    for (const [number, { serverId, event }] of again)
      send({ type: 'observe', number, serverId, events: [event] });
  };
  const killIfDue = () => {
    if (!isKillDue || atWork > 0 || killing) return;
    isKillDue = false;
    killing = kill().finally(() => {
      killing = null;
    });
  };
  await start();

  return {
    port,
    counts,
    tell(serverId, event) {
      told += 1;
      untold.set(told, { serverId, event });
      if (!killing) send({ type: 'observe', number: told, serverId, events: [event] });
    },
    async steadily(work) {
      atWork += 1;
      try {
        await killing;
        return await work();
      } finally {
        atWork -= 1;
        killIfDue();
      }
    },
    killSoon() {
      isKillDue = killing === null;
      killIfDue();
    },
    readyMs: () => (killing ? performance.now() : readyMs),
    [Symbol.asyncDispose]: async () => {
      await killing;
      await end();
    },
  };
};
