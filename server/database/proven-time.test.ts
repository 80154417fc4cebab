import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endExpired } from '../bans/write-bans.ts';
import { cancelExpired } from '../deliveries/expiry.ts';
import { addUp, lockGroup } from '../entitlements/add-up.ts';
import { deleteExpired } from '../logs/log-retention.ts';
import { createTimeCorrection } from '../maintenance/time-correction.ts';
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
/** As a process of the API that is started then, or whose machine is. */
const look = async (uptimeMs: number): Promise<number> => {
  const { db, pool } = database;
  const onLook = createTimeCorrection({ db, pool, log: silentLog });
  using proven = createProvenTime({ db, onLook, log: silentLog, uptimeMs: () => uptimeMs });
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

/** What ends or is deleted for good once a clock that went a year forward is believed, each 100 days after that clock's now. */
const ends: readonly (readonly [string, () => Promise<() => Promise<boolean>>])[] = [
  [
    'a row of a log',
    async () => {
      await query(
        `insert into event_logs (kind, severity, at, payload) values ('test', 'info', now() - interval '100 days', '{}')`,
      );
      return async () =>
        (await deleteExpired({ db: database.db, table: 'event_logs', retentionDays: 90, signal })) > 0;
    },
  ],
  [
    'a delivery that expires',
    async () => {
      const id = await insertDelivery();
      await query(`update deliveries set expires_at = now() - interval '100 days' where id = $1`, [id]);
      return async () => {
        await cancelExpired(database.db);
        const [row] = await query<{ state: string }>('select state from deliveries where id = $1', [id]);
        return row?.state !== 'waiting';
      };
    },
  ],
  [
    'a timed purchase',
    async () => {
      const id = await insertDelivery();
      await query(
        `update deliveries set state = 'delivered', certainty = 'proven', waits_for = null, ended_at = now() - interval '130 days',
           line = '{"kind":"role","position":0,"quantity":1,"lasts":{"key":"vip","seconds":2592000,"extends":true}}'
          where id = $1`,
        [id],
      );
      const [row] = await query<{ id: string }>(
        'select entitlement_id as id from entitlement_grants where delivery_id = $1',
        [id],
      );
      return () =>
        database.db.transaction().execute(async (trx) => {
          const group = await lockGroup(trx, row?.id ?? '');
          return group !== null && !(await addUp(trx, group, { now: new Date() }));
        });
    },
  ],
  [
    'a ban',
    async () => {
      await query(
        `insert into bans (game, player_name, is_everywhere, reason, banned_at, actor, until)
         values ('minecraft', 'Steve', true, '', now() - interval '130 days', 'local:t', now() - interval '100 days')`,
      );
      return async () => (await endExpired(database.db, new Date())) > 0;
    },
  ],
];

// Guarantee: a clock that goes a year forward deletes nothing and ends nothing, not even before anyone has looked at it, nor
// after a start of the machine with that clock. Once the time is believed, everything ends that is over.
test.each(ends)('a year ahead: %s', async (_name, prepare) => {
  await query('delete from proven_time');
  expect(await look(3_600_000)).toBe(0);
  const hasEnded = await prepare();
  await goForward('1 year');
  expect(await hasEnded()).toBe(false);
  expect(await look(60_000)).toBeGreaterThan(364 * dayMs);
  expect(await hasEnded()).toBe(false);
  // A person put it right: nothing has happened, and nothing is doubted any more.
  await query('update proven_time set unproven_ms = 0, until = null');
  expect(await hasEnded()).toBe(true);
});

// Guarantee: before the first look, and on a database that no process looks at, the clock is believed.
test('no look', async () => {
  await query('delete from proven_time');
  const { rows } = await sql<{
    same: boolean;
  }>`select castellan_proven_now() = now() as same`.execute(database.db);
  expect(rows).toEqual([{ same: true }]);
});
