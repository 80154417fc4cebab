import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { diamond, openStoreInPlay, type StoreInPlay, say } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
});
afterAll(() => store[Symbol.asyncDispose]());

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await store.database.pool.query<Row>(text, values)).rows;
const epochOf = async () => (await query<{ epoch: number }>('select epoch from store_state'))[0]?.epoch ?? 0;
const delivered = async () => {
  const sending = await play.recordingServer();
  const [id = ''] = await store.buy(sending.memberId, 'minecraft', [diamond()], {
    serverIds: [sending.serverId],
  });
  await play.run(sending.memberId);
  expect(await store.row(id)).toMatchObject({ state: 'delivered' });
  return { ...sending, id };
};

// Guarantee: the numbers of deliveries by state stay right, and do not become more rows with each delivery.
test('the numbers by state are folded', async () => {
  await delivered();
  await delivered();
  const numbers = () =>
    query(
      'select job_state, sum(count)::int from delivery_counts group by 1 having sum(count) <> 0 order by 1',
    );
  const before = await numbers();
  await store.deliveries.sweep();
  expect(await numbers()).toEqual(before);
  expect(await query('select job_state from delivery_counts')).toHaveLength(before.length);
});

// Guarantee: a game that cannot be asked when its server comes back is asked when it can be.
test('a game that is not ready yet when it comes back', async () => {
  const { id, world, serverId } = await delivered();
  world.crash();
  world.mood = 'starting';
  store.deliveries.onServerBack(serverId);
  await store.deliveries.sweep();
  expect(await store.row(id)).toMatchObject({ rolled_back_at: null });
  world.mood = 'well';
  await store.deliveries.sweep();
  expect(await store.row(id)).toMatchObject({ rolled_back_at: expect.any(Date), desk_reason: 'rolled-back' });
});

// Guarantee: of two items, only the one that the crash took from the world is called rolled back.
test('a crash after the first of two items was saved', async () => {
  const saved = await delivered();
  const marks = [...saved.world.marks];
  const [lost = ''] = await store.buy(saved.memberId, 'minecraft', [diamond()], {
    serverIds: [saved.serverId],
  });
  await play.run(saved.memberId);
  expect(await store.row(lost)).toMatchObject({ state: 'delivered' });
  saved.world.crash();
  for (const [id, mark] of marks) saved.world.marks.set(id, mark);
  store.deliveries.onServerBack(saved.serverId);
  await store.deliveries.sweep();
  expect(await store.row(lost)).toMatchObject({ desk_reason: 'rolled-back' });
  expect(await store.row(saved.id)).toMatchObject({
    state: 'delivered',
    rolled_back_at: null,
    desk_reason: null,
  });
});

// Guarantee: an attempt keeps the verdict on the game's reply.
test('the verdict of an attempt', async () => {
  const { id } = await delivered();
  expect(await query('select verdict from delivery_attempts where delivery_id = $1', [id])).toEqual([
    { verdict: 'done' },
  ]);
});

// Guarantee: what was given on one server before a restore is not given on another one after it.
test('a restored database, and two servers where it may have been given', async () => {
  const one = await play.recordingServer();
  const other = await play.recordingServer();
  const [id = ''] = await store.buy(one.memberId, 'minecraft', [diamond()], {
    serverIds: [one.serverId, other.serverId],
  });
  // Given on the first server, which the restored database does not know.
  one.world.marks.set(`${id}-1`, '1b');
  await query('update store_state set epoch = epoch + 1');
  store.leave(one.playerId);
  other.world.there.set(one.uuid, one.name);
  store.join(other.serverId, one.playerId, one.name);
  await play.run(one.memberId);
  expect(other.world.given).toEqual([]);
  expect(await store.row(id)).toMatchObject({ state: 'unknown', desk_reason: 'restored' });
});

// Guarantee: what was given without the restored database knowing it is not paid back by expiry.
test('what expires in a restored database', async () => {
  const { memberId } = await store.member(play.newName(), 'minecraft');
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { expiresAt: new Date(0) });
  await query('update deliveries set epoch = $1 where id = $2', [(await epochOf()) - 1, id]);
  await store.deliveries.sweep();
  expect(await store.row(id)).toMatchObject({ state: 'unknown', desk_reason: 'restored', refunded_at: null });
  expect(await store.balance(memberId)).toBe(990);
});

// Guarantee: many deliveries that stay due behind one that rests take no one else's turn.
test('a long queue behind one that rests', async () => {
  const stuck = await play.recordingServer();
  const ids = await store.buy(
    stuck.memberId,
    'minecraft',
    Array.from({ length: 510 }, () => diamond()),
    {
      points: 1,
      serverIds: [stuck.serverId],
    },
  );
  await query(
    `update deliveries set state = 'waiting', waits_for = 'retry', next_try_at = now() + interval '1 hour' where id = $1`,
    [ids[0]],
  );
  const { memberId } = await store.member(play.newName(), 'minecraft');
  const [id = ''] = await store.buy(memberId, 'minecraft', [say], { serverIds: [stuck.serverId] });
  await query(`update deliveries set state = 'waiting', waits_for = 'retry' where id = $1`, [id]);
  await store.deliveries.sweep();
  await eventually(async () => expect((await store.row(id)).attempts).toBe(1));
});

// Guarantee: a game that answers no question delays neither the other servers nor what is due.
test('a game that does not answer', async () => {
  const silent = await play.recordingServer();
  silent.lost.next = true;
  const [lost = ''] = await store.buy(silent.memberId, 'minecraft', [diamond()], {
    serverIds: [silent.serverId],
  });
  await play.run(silent.memberId);
  await query(
    `update deliveries set state = 'unknown', certainty = null, desk_reason = 'unknown', desk_at = now() where id = $1`,
    [lost],
  );
  await query(`update delivery_attempts set evidence = evidence - 'mark' where delivery_id = $1`, [lost]);
  silent.world.mood = 'silent';
  const free = await play.recordingServer();
  const [id = ''] = await store.buy(free.memberId, 'minecraft', [diamond()], { serverIds: [free.serverId] });
  const sweep = store.deliveries.sweep();
  await eventually(async () => expect(await store.row(id)).toMatchObject({ state: 'delivered' }), 5000);
  silent.world.mood = 'well';
  await sweep;
}, 30_000);

// Guarantee: the marks of old gifts are removed as fast as a shop makes them, and a server that is away does not
// prevent removals on others.
test('marks of old gifts', async () => {
  const away = await store.server('minecraft');
  const { id, world, memberId, serverId } = await delivered();
  await query(`update deliveries set ended_at = now() - interval '100 days' where id = $1`, [id]);
  await query(`update delivery_attempts set ended_at = now() - interval '100 days' where delivery_id = $1`, [
    id,
  ]);
  const ids = await store.buy(
    memberId,
    'minecraft',
    Array.from({ length: 500 }, () => diamond()),
    { points: 1 },
  );
  // Those of the server that is away are the oldest.
  await query(
    `insert into delivery_attempts (delivery_id, number, command_id, server_id, way, command, ended_at, evidence)
     select one, 1, one || '.1', case when place <= 220 then $2 else $3 end, 'agent', 'give',
            now() - interval '200 days' + place * interval '1 second',
            jsonb_build_object('guard', jsonb_build_object('id', one || '-1', 'form', 'namespaced'))
     from unnest($1::uuid[]) with ordinality as given (one, place)`,
    [ids, away, serverId],
  );
  await query(`update deliveries set state = 'delivered', certainty = 'settled' where id = any ($1)`, [ids]);
  for (const one of ids.slice(220)) world.marks.set(`${one}-1`, '1b');
  const kept = await delivered();
  const [marks] = store.deliveries.maintenance;
  expect(await marks?.run(AbortSignal.timeout(60_000))).toBe(281);
  expect(world.marks.size).toBe(0);
  expect(kept.world.marks.size).toBe(1);
  expect(await marks?.run(AbortSignal.timeout(60_000))).toBe(0);
}, 60_000);
