import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDeliveryDetails } from '../read-deliveries.ts';
import { deskAllRestored } from './epochs.ts';
import { by, openStoreInPlay, type StoreInPlay } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
});
afterAll(() => store[Symbol.asyncDispose]());

const role = {
  kind: 'role' as const,
  roleId: '555555555555555555',
  roleName: 'Veteran',
  position: 0,
  quantity: 1,
};
let accounts = 0;
/** Someone in Discord who has bought the role, and is on a game server. */
const bought = async () => {
  const game = await play.recordingServer();
  accounts += 1;
  const discordId = String(100_000_000_000_000_000n + BigInt(accounts));
  await store.database.pool.query('update members set discord_id = $1 where id = $2', [
    discordId,
    game.memberId,
  ]);
  const [id = ''] = await store.buy(game.memberId, 'minecraft', [role], {});
  return { ...game, id, discordId };
};
const given = (discordId: string) =>
  store.deliveries.db
    .transaction()
    .execute((trx) => store.deliveries.roles.settle(trx, { discordId, roleId: role.roleId }));
const held = async () =>
  (await store.database.pool.query('select discord_id from discord_bought_roles')).rows.map(
    ({ discord_id }) => discord_id,
  );

// Guarantee: no game takes part in giving a role: nothing is sent to one, and the delivery is done when Discord has confirmed it, once.
test('a role that was bought', async () => {
  const { id, memberId, world, discordId } = await bought();
  await play.run(memberId);
  await store.deliveries.sweep();
  await store.deliveries.idle();
  expect(await store.row(id)).toMatchObject({ state: 'pending', attempts: 0 });
  expect(world.marks.size).toBe(0);
  await store.deliveries.roles.tellWaiting([{ id, why: 'role-not-on-server' }]);
  expect(await readDeliveryDetails(store.database.db, id)).toMatchObject({
    state: 'waiting',
    waitsFor: 'discord',
    reason: { code: 'role-not-on-server' },
  });
  // What is over is no longer reported.
  await store.deliveries.roles.tellWaiting([{ id, why: null }]);
  expect(await readDeliveryDetails(store.database.db, id)).toMatchObject({
    state: 'pending',
    waitsFor: null,
    reason: null,
  });
  await given(discordId);
  expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'proven', waits_for: null });
  const { ended_at } = await store.row(id);
  await given(discordId);
  expect((await store.row(id)).ended_at).toEqual(ended_at);
  expect(await held()).toContain(discordId);
  // A report from before it was given comes too late.
  await store.deliveries.roles.tellWaiting([{ id, why: 'role-not-on-server' }]);
  expect(await store.row(id)).toMatchObject({ state: 'delivered' });
});

// Guarantee: what was cancelled or has expired is neither given nor charged.
test('a role that was cancelled', async () => {
  const { id, memberId, discordId } = await bought();
  expect(await store.deliveries.desk.cancel(id, by)).toBeNull();
  await given(discordId);
  expect(await store.row(id)).toMatchObject({ state: 'cancelled', refunded_at: expect.any(Date) });
  expect(await held()).not.toContain(discordId);
  expect(await store.balance(memberId)).toBe(1000);
});

// Guarantee: in a restored database a bought role is given again, which changes nothing, or taken back when it is
// cancelled; no one has to decide.
test('a restored database', async () => {
  const waiting = await bought();
  const cancelled = await bought();
  await store.database.pool.query('update store_state set epoch = epoch + 1');
  expect(await deskAllRestored(store.deliveries.db)).toBe(0);
  expect(await store.row(waiting.id)).toMatchObject({ state: 'pending', desk_reason: null });
  // It may have been given since the backup.
  expect(await held()).toEqual(expect.arrayContaining([waiting.discordId, cancelled.discordId]));
  expect(await store.deliveries.desk.cancel(cancelled.id, by)).toBeNull();
  expect(await store.row(cancelled.id)).toMatchObject({ state: 'cancelled' });
  await given(waiting.discordId);
  expect(await store.row(waiting.id)).toMatchObject({ state: 'delivered', certainty: 'proven' });
});
