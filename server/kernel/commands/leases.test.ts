import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { type MigratedDatabase, migratedDatabase, silentLog } from '../testing/feature-api.ts';
import { createLeases, type LeasesOptions } from './leases.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const open = (options: Partial<LeasesOptions> = {}) =>
  createLeases({ db: database.db, log: silentLog, ...options });
let made = 0;
const newId = () => {
  made += 1;
  return `command-${made}`;
};
const rowOf = async (id: string) => {
  const { rows } = await database.pool.query('select * from commands_in_flight where command_id = $1', [id]);
  return rows[0] as { process_id: string; leased_until: Date } | undefined;
};
/** As if the holder had slept until its deadline. */
const lapse = (id: string) =>
  database.pool.query('update commands_in_flight set leased_until = now() where command_id = $1', [id]);

// Guarantee: a command in flight belongs to the process that sent it, until its deadline or until that process is known to
// have ended; then one other gets it.
test('who may end a command', async () => {
  await using holder = open();
  await using other = open();
  await using third = open();
  await holder.begin();
  const [lapsed, buried] = [newId(), newId()];
  await holder.take(database.db, [lapsed, buried]);
  expect(await other.takeOver([lapsed, buried])).toEqual(new Set());
  await lapse(lapsed);
  const won = await Promise.all([other, other, third].map((one) => one.takeOver([lapsed])));
  expect(won.filter((taken) => taken.has(lapsed))).toHaveLength(1);
  expect(await holder.holds(lapsed)).toBe(false);
  expect(await holder.holds(buried)).toBe(true);
  await third.endProcesses([holder.processId]);
  expect(await third.takeOver([buried])).toEqual(new Set([buried]));
});

// Guarantee: a process that takes over what it has just released holds it, though the row of before is still being deleted.
test('released and taken over again', async () => {
  await database.pool.query(`
    create function wait_to_delete() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1); return null; end $$;
    create trigger wait_to_delete before delete on commands_in_flight execute function wait_to_delete()`);
  const deletions = async () => {
    const { rows } = await database.pool.query(
      "select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()",
    );
    return rows;
  };
  const gate = await database.pool.connect();
  try {
    await using holder = open({ timing: { tickMs: 20 } });
    await holder.begin();
    const id = newId();
    await holder.take(database.db, [id]);
    await gate.query('select pg_advisory_lock(1)');
    holder.release([id]);
    await eventually(async () => expect(await deletions()).toHaveLength(1));
    const again = holder.takeOver([id]);
    // Whatever it has begun without waiting is done by then.
    for (let turn = 0; turn < 5; turn += 1) await database.pool.query('select 1');
    await gate.query('select pg_advisory_unlock(1)');
    expect(await again).toEqual(new Set([id]));
    expect(await holder.holds(id)).toBe(true);
    expect(await rowOf(id)).toMatchObject({ process_id: holder.processId });
  } finally {
    gate.release();
    await database.pool.query('drop trigger wait_to_delete on commands_in_flight');
  }
});

// Guarantee: what the previous release sent has no lease, and is recovered without a wait.
test('a command without a lease', async () => {
  await using next = open();
  const id = newId();
  expect(await next.takeOver([id])).toEqual(new Set([id]));
});

// Guarantee: a process that stops gives back what it holds, and one that is told so at its start ends others' leases.
test('what a stopped or killed process held', async () => {
  const stopped = open();
  await stopped.begin();
  const id = newId();
  await stopped.take(database.db, [id]);
  await stopped[Symbol.asyncDispose]();
  expect(await rowOf(id)).toBeUndefined();
  const killed = open();
  await killed.begin();
  await killed.take(database.db, [id]);
  await using next = open({ endedProcesses: [killed.processId] });
  await next.begin();
  expect(await next.otherProcesses()).not.toContain(killed.processId);
  expect(await next.takeOver([id])).toEqual(new Set([id]));
  await killed[Symbol.asyncDispose]();
});

// Guarantee: nothing is sent with less left of a lease than the least, nor after it has run out, even if it was renewed
// since; the process keeps the command as long as no other takes it.
test('a holder that slept', async () => {
  await using short = open({ timing: { leaseMs: 4999 } });
  await using slept = open({ timing: { leaseMs: 50, leastMs: 0 } });
  await using awake = open();
  const ids = [newId(), newId(), newId()] as const;
  await short.take(database.db, [ids[0]]);
  await slept.take(database.db, [ids[1]]);
  await awake.take(database.db, [ids[2]]);
  expect(short.maySend(ids[0])).toBe(false);
  expect(awake.maySend(ids[2])).toBe(true);
  expect(awake.maySend('never taken')).toBe(false);
  await eventually(() => expect(slept.maySend(ids[1])).toBe(false));
  expect(await slept.holds(ids[1])).toBe(true);
  expect(slept.maySend(ids[1])).toBe(false);
});

// Guarantee: a lease is renewed while its holder works, and its row goes once it is released.
test('a lease lasts as long as the work', async () => {
  await using worker = open({ timing: { leaseMs: 10_000, renewMs: 10, tickMs: 10 } });
  await worker.begin();
  const id = newId();
  await worker.take(database.db, [id]);
  const first = (await rowOf(id))?.leased_until.getTime() ?? 0;
  await eventually(async () => expect((await rowOf(id))?.leased_until.getTime()).toBeGreaterThan(first));
  const ended = worker.untilReleased(id);
  worker.release([id]);
  await ended;
  expect(worker.untilReleased(id)).toBeNull();
  await eventually(async () => expect(await rowOf(id)).toBeUndefined());
});
