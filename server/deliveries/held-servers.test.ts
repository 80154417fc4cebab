import { afterAll, beforeAll, expect, test } from 'vitest';
import { diamond, openStoreInPlay, type StoreInPlay } from './testing/store-in-play.ts';

let play: StoreInPlay;
beforeAll(async () => {
  play = await openStoreInPlay();
});
afterAll(() => play.store[Symbol.asyncDispose]());

// Guarantee: what may go to a server that is held stays as it is, and goes out once it is not held any more; others go on.
test('servers that are held', async () => {
  const { store } = play;
  const [held, free] = [await play.recordingServer(), await play.recordingServer()];
  store.deliveries.hold({ game: 'minecraft', serverIds: [held.serverId] });
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
  store.deliveries.hold({ game: 'minecraft', serverIds: null });
  await play.run(held.memberId);
  expect(await states()).toEqual(['pending', 'pending', 'delivered']);
  store.deliveries.hold({ game: 'ark-se', serverIds: null });
  await play.run(held.memberId);
  expect(await states()).toEqual(['delivered', 'delivered', 'delivered']);
});
