import { afterAll, beforeAll, expect, test } from 'vitest';
import { setSurvivorNumber } from '../survivor-numbers.ts';
import { by, diamond, openStoreInPlay, type StoreInPlay } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
});
afterAll(() => store[Symbol.asyncDispose]());

const times = <Made>(count: number, make: (index: number) => Promise<Made>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

// Guarantee: staff who type a survivor number at the same moment all succeed, and one number remains.
test('one survivor number at once', async () => {
  const serverId = await store.server('ark-asa');
  const { playerId, memberId } = await store.member(play.newName(), 'ark-asa');
  const set = await times(8, (index) =>
    setSurvivorNumber(store.database.db, playerId, { serverId, number: `${index + 1}` }, by),
  );
  expect(set).toEqual(Array.from({ length: 8 }, () => memberId));
  const { rows } = await store.database.pool.query(
    'select number from survivor_numbers where player_id = $1',
    [playerId],
  );
  expect(rows).toHaveLength(1);
});

// Guarantee: staff who set the same rule at the same moment all succeed, and one rule remains.
test('one rule at once', async () => {
  const serverId = await store.server('minecraft');
  const set = await times(8, (index) =>
    store.deliveries.rules.set(
      { serverId, productId: null, decision: index % 2 === 0 ? 'refund' : 'delivered' },
      by,
    ),
  );
  for (const rules of set) expect(rules).toBeInstanceOf(Array);
  expect((await store.deliveries.rules.read()).filter((rule) => rule.serverId === serverId)).toHaveLength(1);
});

// Guarantee: a survivor number releases what was bought by a member who has since been merged.
test('a survivor number of a merged member', async () => {
  const serverId = await store.server('ark-asa');
  const former = await store.member(play.newName(), 'ark-asa');
  const kept = await store.member(play.newName(), 'ark-asa');
  const [id = ''] = await store.buy(former.memberId, 'ark-asa', [{ ...diamond(), item: '7' }], {
    serverIds: [serverId],
  });
  await store.database.pool.query(
    `update deliveries set state = 'waiting', waits_for = 'survivor-number', next_try_at = now() + interval '10 minutes'
     where id = $1`,
    [id],
  );
  await store.database.pool.query('update players set member_id = $1 where member_id = $2', [
    kept.memberId,
    former.memberId,
  ]);
  await store.database.pool.query('update members set merged_into = $1 where id = $2', [
    kept.memberId,
    former.memberId,
  ]);
  await setSurvivorNumber(store.database.db, former.playerId, { serverId, number: '5' }, by);
  const { rows } = await store.database.pool.query(
    'select next_try_at <= now() as due from deliveries where id = $1',
    [id],
  );
  expect(rows).toEqual([{ due: true }]);
});
