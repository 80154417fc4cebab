import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTimeCorrection } from '../../operations/maintenance/time-correction.ts';
import { endExpired } from '../../people/bans/write-bans.ts';
import { cancelExpired } from '../../store/deliveries/expiry.ts';
import { addUp, lockGroup } from '../../store/entitlements/add-up.ts';
import { deleteExpired } from '../logs/log-retention.ts';
import { type MigratedDatabase, migratedDatabase, silentLog } from '../testing/feature-api.ts';
import { grantPoints, insertMember, insertOrder } from '../testing/store-rows.ts';
import { createProvenTime } from './proven-time.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query(text, values)).rows as Row[];

/** As if the clock, which no test can set, had gone forward by so much since the last look. */
const goForward = (by: string) =>
  query(
    `update proven_time set seen_at = seen_at - $1::interval, booted_at = booted_at - $1::interval,
       trusted_at = trusted_at - $1::interval`,
    [by],
  );
/** How often the portal was asked for the time. */
let asked = 0;
/** As a process of the API that is started then, or whose machine is. */
const look = async (uptimeMs: number, signedMs: number | null = null): Promise<number> => {
  const { db, pool } = database;
  const onLook = createTimeCorrection({ db, pool, log: silentLog });
  using proven = createProvenTime({
    ...{ db, onLook, log: silentLog, uptimeMs: () => uptimeMs, signedMs: () => signedMs },
    async askForTime() {
      asked += 1;
    },
  });
  await proven.begin();
  return proven.unprovenMs();
};
const dayMs = 86_400_000;
const signal = new AbortController().signal;

const insertDelivery = async (): Promise<string> => {
  const memberId = await insertMember(database.pool);
  await grantPoints(database.pool, memberId, 5);
  const { deliveryIds } = await insertOrder(database.pool, memberId, ['waiting'], 5);
  return deliveryIds[0] ?? '';
};

/**
 * What ends for good. Prepared with the days since it began and since it ended, by the clock.
 * @returns whether it has ended
 */
const ends: readonly (readonly [
  string,
  (began: number, ended: number) => Promise<() => Promise<boolean>>,
])[] = [
  [
    'a delivery that expires',
    async (began, ended) => {
      const id = await insertDelivery();
      await query(
        `update deliveries set created_at = now() - make_interval(days => $2), expires_at = now() - make_interval(days => $3)
          where id = $1`,
        [id, began, ended],
      );
      return async () => {
        await cancelExpired(database.db);
        const [row] = await query<{ state: string }>('select state from deliveries where id = $1', [id]);
        return row?.state !== 'waiting';
      };
    },
  ],
  [
    'a timed purchase',
    async (began, ended) => {
      const id = await insertDelivery();
      await query(
        `update deliveries set state = 'delivered', certainty = 'proven', waits_for = null, ended_at = now() - make_interval(days => $2),
           line = jsonb_build_object('kind', 'role', 'position', 0, 'quantity', 1,
             'lasts', jsonb_build_object('key', 'vip', 'seconds', 1 + 86400 * $3::integer, 'extends', true))
          where id = $1`,
        [id, began, began - ended],
      );
      const [row] = await query<{ id: string }>(
        'select entitlement_id as id from entitlement_grants where delivery_id = $1',
        [id],
      );
      return () =>
        database.db.transaction().execute(async (trx) => {
          const group = await lockGroup(trx, row?.id ?? '');
          return group !== null && !(await addUp(trx, group, { now: new Date(Date.now() + 2000) }));
        });
    },
  ],
  [
    'a ban',
    async (began, ended) => {
      await query(
        `insert into bans (game, player_name, is_everywhere, reason, banned_at, actor, until)
         values ('minecraft', 'Steve', true, '', now() - make_interval(days => $1), 'local:t',
           now() - make_interval(days => $2))`,
        [began, ended],
      );
      return async () => (await endExpired(database.db, new Date())) > 0;
    },
  ],
];
const inLog = async (began: number) => {
  await query(
    `insert into event_logs (kind, severity, at, payload) values ('test', 'info', now() - make_interval(days => $1), '{}')`,
    [began],
  );
  return async () =>
    (await deleteExpired({ db: database.db, table: 'event_logs', retentionDays: 90, signal })) > 0;
};

// Guarantee: a clock that goes a year forward deletes nothing and ends nothing, not even before anyone has looked at it, nor
// after a start of the machine with that clock. Once the time is believed, everything ends that is over.
test.each([...ends, ['a row of a log', inLog] as const])('a year ahead: %s', async (_name, prepare) => {
  await query('delete from proven_time');
  expect(await look(3_600_000)).toBe(0);
  const hasEnded = await prepare(370, 100);
  await goForward('1 year');
  expect(await hasEnded()).toBe(false);
  expect(await look(60_000)).toBeGreaterThan(364 * dayMs);
  expect(await hasEnded()).toBe(false);
  // A person put it right: nothing has happened, and nothing is doubted any more.
  await query('update proven_time set unproven_ms = 0, jumped_at = null, until = null');
  expect(await hasEnded()).toBe(true);
});

// Guarantee: what begins while a clock is doubted lasts no longer for it.
test.each(ends)('begun after the clock went forward: %s', async (_name, prepare) => {
  await query('delete from proven_time');
  await look(3_600_000);
  await goForward('1 year');
  expect(await look(60_000)).toBeGreaterThan(364 * dayMs);
  expect(await (await prepare(0, 0))()).toBe(true);
});

// Guarantee: a machine that was off for a week ends what is over as soon as the portal has signed the time that its clock shows.
test.each([...ends, ['a row of a log', inLog] as const])('off for a week: %s', async (_name, prepare) => {
  await query('delete from proven_time');
  await look(3_600_000);
  const hasEnded = await prepare(94, 3);
  await goForward('7 days');
  asked = 0;
  expect(await look(60_000)).toBeGreaterThan(6 * dayMs);
  expect(asked).toBe(1);
  expect(await hasEnded()).toBe(false);
  expect(await look(120_000, Date.now() - 60_000)).toBe(0);
  expect(asked).toBe(1);
  expect(await hasEnded()).toBe(true);
});

// Guarantee: a machine that starts with a clock that is behind, by an empty battery, corrects nothing by it: what is right would be over
// once the clock is put right.
test.each([
  ['behind what the portal has signed', 370, true],
  ['put right', 0, false],
])('a clock that is %s', async (_name, signedDays, isKept) => {
  await query('delete from proven_time');
  const id = await insertDelivery();
  await query(
    `update deliveries set created_at = now() + interval '369 days', expires_at = now() + interval '399 days'
      where id = $1`,
    [id],
  );
  await look(60_000, Date.now() + signedDays * dayMs);
  const rows = await query(
    "select expires_at > now() + interval '398 days' as kept from deliveries where id = $1",
    [id],
  );
  expect(rows).toEqual([{ kept: isKept }]);
});

// Guarantee: before the first look, and on a database that no process looks at, the clock is believed.
test('no look', async () => {
  await query('delete from proven_time');
  const { rows } = await sql<{
    same: boolean;
  }>`select castellan_proven_now() = now() as same`.execute(database.db);
  expect(rows).toEqual([{ same: true }]);
});
