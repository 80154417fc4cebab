import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimDeliveries } from './claim-deliveries.ts';
import type { DeliveryRow } from './delivery-rows.ts';
import { templateValues } from './render-delivery.ts';
import { diamond, openStoreInPlay, type StoreInPlay } from './testing/store-in-play.ts';

let play: StoreInPlay;
beforeAll(async () => {
  play = await openStoreInPlay();
});
afterAll(() => play.store[Symbol.asyncDispose]());

const query = (text: string, values: unknown[]) => play.store.database.pool.query(text, values);
const unknownPlayer = { player: null, platformId: null, handle: null, survivorNumber: null };
/** Like another process that carries a season out. */
const seasonAtWork = async (game: string, serverIds: readonly string[] | null) => {
  await query(`update seasons set state = 'done' where state = 'running'`, []);
  await query(
    `insert into seasons (id, name, game, scope_server_ids, began_at, balances, actor)
     values (gen_random_uuid(), 'Winter', $1, $2, now(), '{"kind":"none"}', 'test')`,
    [game, serverIds],
  );
};

// Guarantee: what may go to a server of a running season stays unchanged, no matter which process carries the season
// out, and goes out once it is done; others continue.
test('servers that are held', async () => {
  const { store } = play;
  const [held, free] = [await play.recordingServer(), await play.recordingServer()];
  await seasonAtWork('minecraft', [held.serverId]);
  const [waits = ''] = await store.buy(held.memberId, 'minecraft', [diamond()], {
    serverIds: [held.serverId],
  });
  const [anywhere = ''] = await store.buy(held.memberId, 'minecraft', [diamond()]);
  const [goes = ''] = await store.buy(free.memberId, 'minecraft', [diamond()], {
    serverIds: [free.serverId],
  });
  await Promise.all([play.run(held.memberId), play.run(free.memberId)]);
  const states = async () =>
    Promise.all([waits, anywhere, goes].map(async (id) => (await store.row(id)).state));
  expect(await states()).toEqual(['pending', 'pending', 'delivered']);
  await seasonAtWork('minecraft', null);
  await play.run(held.memberId);
  expect(await states()).toEqual(['pending', 'pending', 'delivered']);
  await seasonAtWork('ark-se', null);
  await play.run(held.memberId);
  expect(await states()).toEqual(['delivered', 'delivered', 'delivered']);
});

// Guarantee: what was planned before a season began is not claimed after that.
test('a claim on a server that is held by now', async () => {
  const { store } = play;
  const { serverId, memberId } = await play.recordingServer();
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  const delivery = (await store.row(id)) as unknown as DeliveryRow;
  const claim = {
    delivery,
    serverId,
    way: 'agent' as const,
    playerId: null,
    command: 'say hi',
    maskedCommand: 'say hi',
    evidence: { values: templateValues(delivery, unknownPlayer), presentBefore: true },
    timeoutMs: 1000,
    isOfAnyEpoch: false,
  };
  const options = { db: store.database.db, ways: store.ways };
  await seasonAtWork('minecraft', [serverId]);
  expect(await claimDeliveries(options, [claim])).toEqual([null]);
  expect((await store.row(id)).state).toBe('pending');
  await seasonAtWork('ark-se', null);
  expect((await claimDeliveries(options, [claim]))[0]).not.toBeNull();
});
