import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { serveFeature } from '../../kernel/testing/feature-api.ts';
import { bindDeliveriesRoutes } from './deliveries.routes.ts';
import { diamond, openStoreInPlay, type StoreInPlay } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
});
afterAll(() => store[Symbol.asyncDispose]());

// Guarantee: ARK's replies prove nothing, so a gift is unconfirmed if the game listed the player right before and right
// after, and waits for the survivor's number, which belongs to player and server.
test('ARK', async () => {
  // Delivered before, so that a page of one has a next one.
  const earlier = await play.recordingServer();
  await store.buy(earlier.memberId, 'minecraft', [diamond()], { serverIds: [earlier.serverId] });
  await play.run(earlier.memberId);

  const serverId = await store.server('ark-asa');
  const heard: string[] = [];
  const name = play.newName();
  let leavesWithGift = false;
  let isListed = true;
  await store.agent(serverId, (command) => {
    heard.push(command);
    if (command === 'ListPlayers')
      return isListed ? `0. ${name}, 0002c0ffee11d00d4242beef00c0ffee` : 'No Players Connected';
    isListed = !leavesWithGift;
    return 'Server received, But no response!!';
  });
  await eventually(() => expect(store.gateway.gateway.connectionOf(serverId)).not.toBeNull());
  const { memberId, playerId } = await store.member(name, 'ark-asa');
  store.join(serverId, playerId, name);
  const [id = ''] = await store.buy(memberId, 'ark-asa', [{ ...diamond(2), item: '7' }]);
  await play.run(memberId);
  expect(await store.row(id)).toMatchObject({ state: 'waiting', waits_for: 'survivor-number', attempts: 0 });
  await using api = await serveFeature((routes) =>
    bindDeliveriesRoutes(routes, store.context, store.deliveries),
  );
  const answer = await ask(api.port, `/api/players/${playerId}/survivor-number`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ serverId, number: '123456' }),
  });
  expect(answer.status).toBe(200);
  await store.deliveries.idle();
  expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'unconfirmed' });
  const gift = 'GiveItemNumToPlayer 123456 7 2 0 0';
  expect(heard).toEqual(['ListPlayers', gift, 'ListPlayers']);
  const shown = await ask(api.port, `/api/deliveries/${id}`);
  expect(shown.json).toMatchObject({
    productName: 'Starter kit',
    memberName: name,
    history: [
      {
        number: 1,
        command: gift,
        outcome: 'answered',
        evidence: { presentBefore: true, presentAfter: true },
      },
    ],
  });
  const page = await ask(api.port, '/api/deliveries?limit=1&state=delivered');
  expect(page.json).toMatchObject({ rows: [{ id }], nextCursor: expect.any(String) });

  // Memory may still have a player who has left: nothing is sent, and absence does not count as a try.
  isListed = false;
  const [next = ''] = await store.buy(memberId, 'ark-asa', [{ ...diamond(2), item: '7' }]);
  await play.run(memberId);
  expect(await store.row(next)).toMatchObject({ state: 'waiting', waits_for: 'retry', attempts: 0 });
  expect(heard.filter((command) => command === gift)).toHaveLength(1);
  // Gone when the game is asked again, so that no one can tell.
  isListed = true;
  leavesWithGift = true;
  await eventually(async () => {
    await play.run(memberId);
    expect(await store.row(next)).toMatchObject({ state: 'unknown', desk_reason: 'unknown', attempts: 1 });
  });
});
