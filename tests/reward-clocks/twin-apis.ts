import { once } from 'node:events';
import { join } from 'node:path';
import { type HeldDatabase, openHeldDatabase } from '#harness/held-database.ts';
import { type ApiProcess, installOver } from '#harness/licensed-home.ts';
import { ownedDatabase } from '#harness/owned-database.ts';
import { freePort } from '#harness/ports.ts';
import { openShiftedClock, type ShiftedClock } from '#harness/shifted-clock.ts';
import { programsFolder } from '../../build/bundle.ts';
import { type SqlSession, sqlSession } from '../../server/kernel/testing/sql.ts';

/** A process of the API with its own clock and its own connection to the database. */
export interface TwinApi {
  readonly name: string;
  readonly clock: ShiftedClock;
  readonly database: HeldDatabase;
  api(): ApiProcess;
  /** Does not wait until it is ready. */
  start(): Promise<void>;
  /** Kills in this same turn of the event loop; resolves when the process has ended. */
  kill(): Promise<void>;
  /** Stops it as a supervisor does. */
  stop(): Promise<void>;
}

export interface TwinApis extends AsyncDisposable {
  readonly one: TwinApi;
  readonly other: TwinApi;
  readonly sql: SqlSession;
}

/** Two processes with one data folder and one database, as when a new process runs before the old one has ended. */
export const openTwinApis = async (): Promise<TwinApis> => {
  await using opening = new AsyncDisposableStack();
  const database = opening.use(await ownedDatabase());
  const installation = opening.use(await installOver(database.url, {}, join(programsFolder, 'api.mjs')));
  const sql = opening.use(await sqlSession(database.url));
  const twin = async (name: string): Promise<TwinApi> => {
    const clock = opening.use(await openShiftedClock());
    const way = opening.use(await openHeldDatabase(database.url));
    const variables = { API_PORT: String(await freePort()), DATABASE_URL: way.url.reveal() };
    let running: ApiProcess | null = null;
    const end = async (signal: NodeJS.Signals) => {
      const process = running?.process;
      if (!process || process.exitCode !== null || process.signalCode !== null) return;
      const exited = once(process, 'exit');
      process.kill(signal);
      await exited;
    };
    return {
      name,
      clock,
      database: way,
      api() {
        if (!running) throw new Error(`${name} was not started`);
        return running;
      },
      async start() {
        running = await installation.startApi({ env: clock.env, variables, untilReady: false });
      },
      kill: () => end('SIGKILL'),
      stop: () => end('SIGTERM'),
    };
  };
  const [one, other] = [await twin('one'), await twin('other')];
  const owned = opening.move();
  return { one, other, sql, [Symbol.asyncDispose]: () => owned.disposeAsync() };
};
