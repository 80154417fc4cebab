import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import { openDatabase } from '../database/pool.ts';
import { createLog } from '../log.ts';
import { createSqlThrottle } from './sql-throttle.ts';
import { createThrottle, type Throttle } from './throttle.ts';

const hour = 3_600_000;
const limits = {
  address: { capacity: 3, refillMs: hour },
  account: { capacity: 2, refillMs: 2 * hour },
} as const;

interface Started extends AsyncDisposable {
  readonly throttle: Throttle<keyof typeof limits>;
  pass(ms: number): Promise<void>;
}

const inMemory = async (): Promise<Started> => {
  let nowMs = 1_000_000;
  return {
    throttle: createThrottle(limits, () => nowMs),
    async pass(ms) {
      nowMs += ms;
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
};

const inSql = async () => {
  await using resources = new AsyncDisposableStack();
  const { url } = resources.use(await testDatabase());
  const log = createLog({ component: 'test', level: 'silent' });
  const { db } = resources.use(openDatabase<never>({ url, applicationName: 'test', log }));
  await sql`create table tries (scope text, subject bytea, tokens double precision, counted_at timestamptz,
    primary key (scope, subject))`.execute(db);
  const owned = resources.move();
  return {
    throttle: createSqlThrottle({ db, table: 'tries', limits }),
    async pass(ms: number) {
      await sql`update tries set counted_at = counted_at - make_interval(secs => ${ms / 1000})`.execute(db);
    },
    async rows() {
      const { rows } = await sql<{ scope: string }>`select scope from tries order by scope`.execute(db);
      return rows.map(({ scope }) => scope);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

const from = (subject: string) => ({ scope: 'address', subject }) as const;
const to = (subject: string) => ({ scope: 'account', subject }) as const;

// Guarantee: one try is taken from every budget or from none, the wait is that of the slowest, and a try given back after a success
// is available again; in memory and in SQL alike.
test.each([
  ['memory', inMemory],
  ['SQL', inSql],
] as const)('budgets in %s', async (_name, start) => {
  await using started = await start();
  const { throttle, pass } = started;
  const tries = [from('a'), to('x')];
  expect([await throttle.take(tries), await throttle.take(tries)]).toEqual([0, 0]);
  const waitMs = await throttle.take(tries);
  expect(waitMs).toBeGreaterThan(2 * hour - 60_000);
  expect(waitMs).toBeLessThanOrEqual(2 * hour);
  // The refused try took nothing from the address, which has a try left, and other subjects keep theirs.
  expect(await throttle.take([from('a')])).toBe(0);
  expect(await throttle.take([from('a')])).toBeGreaterThan(0);
  expect(await throttle.take([from('b'), to('y')])).toBe(0);

  await throttle.giveBack([to('x')]);
  expect([await throttle.take([to('x')]), await throttle.take([from('b'), to('x')])]).toEqual([
    0,
    expect.any(Number),
  ]);
  await pass(2 * hour);
  expect(await throttle.take(tries)).toBe(0);
  expect(await throttle.take([to('x')])).toBeGreaterThan(0);
  await throttle.giveBack([to('x')]);
  await throttle.giveBack([to('x')]);
  await throttle.giveBack([to('x')]);
  await pass(10 * hour);
  expect([await throttle.take([to('x')]), await throttle.take([to('x')])]).toEqual([0, 0]);
  expect(await throttle.take([to('x')])).toBeGreaterThan(0);
});

// Guarantee: of simultaneous tries no more pass than the budget has, in whatever order their budgets are named.
test('simultaneous tries in SQL', async () => {
  await using started = await inSql();
  const waits = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      started.throttle.take(index % 2 ? [from('a'), to('x')] : [to('x'), from('a')]),
    ),
  );
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(2);
});

// Guarantee: refused tries leave no rows, and budgets that are full again are deleted, the others kept.
test('rows in SQL', async () => {
  await using started = await inSql();
  const { throttle, pass, rows } = started;
  await throttle.take([to('x')]);
  await throttle.take([to('x')]);
  expect(await throttle.take([from('made up'), to('x')])).toBeGreaterThan(0);
  expect(await rows()).toEqual(['account']);
  await pass(5 * hour);
  await throttle.take([from('a')]);
  await throttle.forgetFull();
  expect(await rows()).toEqual(['address']);
});
