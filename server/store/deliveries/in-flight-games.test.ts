import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GameId } from '#contracts/servers/games.ts';
import type { DeliveryLine } from '#contracts/store/store.ts';
import { eventually } from '#harness/eventually.ts';
import { startArk } from '../../../tests/simulators/ark-simulator.ts';
import { startMinecraft } from '../../../tests/simulators/minecraft-simulator.ts';
import { startPalworld } from '../../../tests/simulators/palworld-simulator.ts';
import { startSevenDays } from '../../../tests/simulators/seven-days-simulator.ts';
import type { Simulator } from '../../../tests/simulators/simulator.ts';
import { mergeMembers } from '../../people/members/merging.ts';
import { by, diamond, openStoreInPlay, type StoreInPlay, say } from './testing/store-in-play.ts';

/** What is sold in a game, and what its answer proves. */
interface Sold {
  readonly start: () => Promise<Simulator>;
  readonly line: (playerName: string) => DeliveryLine;
  /** `proven`, or what is as good as it gets in this game. */
  readonly certainty: 'proven' | 'unconfirmed';
  /** The game itself says whether it arrived, so that no one can refund it. */
  readonly keepsRecord: boolean;
}
const gift = (item: string) => () => ({ ...diamond(), item });
const sold: Readonly<Record<GameId, Sold>> = {
  'seven-days-to-die': {
    start: startSevenDays,
    line: gift('resourceWood'),
    certainty: 'proven',
    keepsRecord: false,
  },
  minecraft: { start: startMinecraft, line: gift('diamond'), certainty: 'proven', keepsRecord: true },
  'ark-se': {
    start: () => startArk({ variant: 'se' }),
    line: gift('7'),
    certainty: 'unconfirmed',
    keepsRecord: false,
  },
  'ark-asa': { start: startArk, line: gift('7'), certainty: 'unconfirmed', keepsRecord: false },
  palworld: {
    start: startPalworld,
    line: (name) => ({ ...say, command: `announce Thanks, ${name}!`, success: ['HTTP 200'] }),
    certainty: 'proven',
    keepsRecord: false,
  },
};
const games = Object.keys(sold) as GameId[];

const owned = new AsyncDisposableStack();
const running = new Map<GameId, { readonly game: Simulator; readonly serverId: string }>();
let play: StoreInPlay;
let store: StoreInPlay['store'];
beforeAll(async () => {
  play = await openStoreInPlay({ answerMs: 15_000 });
  store = owned.use(play.store);
  for (const id of games) {
    const game = owned.use(await sold[id].start());
    running.set(id, { game, serverId: await store.server(id, game) });
  }
  for (const { serverId } of running.values())
    await eventually(() => expect(store.ways.open(serverId)).not.toBeNull());
});
afterAll(() => owned.disposeAsync());

const merge = (keptId: string, mergedId: string) =>
  store.database.db
    .transaction()
    .execute((trx) => mergeMembers(trx, { keptId, mergedId }, { actor: 'test', actorName: null }));

const openGame = (id: GameId) => {
  const { game, serverId } = running.get(id) ?? {};
  if (!game || serverId === undefined) throw new Error(`${id} was not started`);
  const { world, quirks } = game;
  const present = async () => {
    const name = play.newName();
    const { numericId } = world.join(name);
    const member = await store.member(name, id);
    await store.database.pool.query(
      `insert into survivor_numbers (player_id, server_id, number, source) values ($1, $2, $3, 'staff')`,
      [member.playerId, serverId, numericId],
    );
    store.join(serverId, member.playerId, name);
    const received = () =>
      world.given.filter(({ player }) => player === name).length +
      world.messages.filter(({ text }) => text.includes(`${name}!`)).length;
    const buy = async (memberId = member.memberId) => {
      const [bought = ''] = await store.buy(memberId, id, [sold[id].line(name)], { serverIds: [serverId] });
      return bought;
    };
    return { ...member, received, buy };
  };
  return {
    serverId,
    present,
    /** A gift that the game has carried out, and whose answer it owes until it is released. */
    async inFlight() {
      const receiver = await present();
      const held = Promise.withResolvers<void>();
      let isHeld = false;
      quirks.beforeReply = () => {
        if (isHeld || receiver.received() === 0) return null;
        isHeld = true;
        return held.promise;
      };
      const deliveryId = await receiver.buy();
      store.deliveries.wake([receiver.memberId]);
      await eventually(async () => {
        expect(await store.row(deliveryId)).toMatchObject({ state: 'sending' });
        expect(receiver.received()).toBe(1);
      });
      return { ...receiver, deliveryId, release: held.resolve };
    },
  };
};
const rule = (serverId: string, decision: 'refund' | 'send-again' | null) =>
  store.deliveries.rules.set({ serverId, productId: null, decision }, by);

// Guarantee: a delivery in flight is ended by the process that sent it alone, even if its member is merged meanwhile and the other
// one is woken: nothing is refunded, sent again or put to the desk, in no game and whatever the standing rule says.
test.for(
  games.flatMap((game) =>
    (['refund', 'send-again', null] as const).map((decision) => [game, decision] as const),
  ),
)('a member is merged while a gift is in flight: %s, rule %s', async ([id, decision]) => {
  const game = openGame(id);
  await rule(game.serverId, decision);
  const kept = await game.present();
  const merged = await game.inFlight();
  await merge(kept.memberId, merged.memberId);
  const second = await kept.buy();
  store.deliveries.wake([kept.memberId, merged.memberId]);
  await store.deliveries.sweep();
  expect(await store.row(merged.deliveryId)).toMatchObject({ state: 'sending', attempts: 1 });
  merged.release();
  await play.run(kept.memberId);
  for (const deliveryId of [merged.deliveryId, second])
    expect(await store.row(deliveryId)).toMatchObject({
      state: 'delivered',
      certainty: sold[id].certainty,
      attempts: 1,
      refunded_at: null,
      desk_reason: null,
    });
  expect(merged.received() + kept.received()).toBe(2);
  expect(await store.balance(kept.memberId)).toBe(1980);
});

/** What a process that does not know better leaves behind. */
const putToDesk = (deliveryId: string) =>
  store.database.pool.query(
    `update deliveries set state = 'unknown', desk_reason = 'unknown', desk_at = now() where id = $1`,
    [deliveryId],
  );

// Guarantee: an answer settles the delivery as far as it proves anything, whatever has brought its row to where it is.
test.for(games)('the answer comes after the delivery was called unknown: %s', async (id) => {
  const taken = await openGame(id).inFlight();
  await putToDesk(taken.deliveryId);
  taken.release();
  await play.run(taken.memberId);
  expect(await store.row(taken.deliveryId)).toMatchObject({
    state: 'delivered',
    certainty: sold[id].certainty,
    desk_reason: null,
  });
});

// Guarantee: the answer to what was refunded meanwhile goes to the desk if it proves anything: a person is told, and no points
// move. A game that keeps a record is asked before anything is refunded.
test.for(games)('the answer comes after a refund: %s', async (id) => {
  const { certainty, keepsRecord } = sold[id];
  const taken = await openGame(id).inFlight();
  await putToDesk(taken.deliveryId);
  const deciding = store.deliveries.desk.decide([taken.deliveryId], 'refund', by);
  // Its record is asked for on the same console.
  if (!keepsRecord) await deciding;
  taken.release();
  const [decided] = await deciding;
  await play.run(taken.memberId);
  expect(decided?.isDone).toBe(!keepsRecord);
  expect(await store.row(taken.deliveryId)).toMatchObject(
    keepsRecord
      ? { state: 'delivered', refunded_at: null }
      : { refunded_at: expect.any(Date), desk_reason: certainty === 'proven' ? 'late-result' : null },
  );
  expect(await store.balance(taken.memberId)).toBe(keepsRecord ? 990 : 1000);
  const { rows } = await store.database.pool.query(
    `select payload ->> 'reason' as reason from event_logs
     where kind = 'delivery.needs-decision' and payload ->> 'deliveryId' = $1`,
    [taken.deliveryId],
  );
  expect(rows).toEqual(!keepsRecord && certainty === 'proven' ? [{ reason: 'late-result' }] : []);
});

// Guarantee: what is to be sent again is not sent again once the first answer proves that it arrived.
test.for(games.filter((id) => sold[id].certainty === 'proven'))(
  'the answer comes before the second sending: %s',
  async (id) => {
    const taken = await openGame(id).inFlight();
    await putToDesk(taken.deliveryId);
    // As a rule decides it while the server cannot be reached.
    await store.database.pool.query(
      `update deliveries set state = 'pending', desk_reason = null, desk_at = null, generation = 2,
         next_try_at = now() + interval '1 hour' where id = $1`,
      [taken.deliveryId],
    );
    taken.release();
    await play.run(taken.memberId);
    expect(await store.row(taken.deliveryId)).toMatchObject({
      state: 'delivered',
      certainty: 'proven',
      attempts: 1,
    });
    expect(taken.received()).toBe(1);
  },
);

const seven = 'seven-days-to-die';

// Guarantee: a refund and a merge of its payer at the same moment move the points once.
test('a merge during a refund', async () => {
  const game = openGame(seven);
  await rule(game.serverId, null);
  for (let round = 0; round < 5; round += 1) {
    const kept = await game.present();
    const merged = await game.inFlight();
    await putToDesk(merged.deliveryId);
    const refund = () => store.deliveries.desk.decide([merged.deliveryId], 'refund', by);
    const [decisions] = await Promise.all([refund(), merge(kept.memberId, merged.memberId)]);
    expect(decisions).toMatchObject([{ isDone: true }]);
    merged.release();
    await play.run(kept.memberId);
    expect(await store.row(merged.deliveryId)).toMatchObject({ refunded_at: expect.any(Date) });
    expect(await store.balance(kept.memberId)).toBe(2000);
  }
});

// Guarantee: of two members with an open order each, both orders are delivered once after a merge, each to the player it was for.
test('both sides of a merge have an open order', async () => {
  const game = openGame(seven);
  const other = await game.present();
  const taken = await game.inFlight();
  const waiting = await other.buy();
  store.deliveries.wake([other.memberId]);
  await merge(taken.memberId, other.memberId);
  taken.release();
  await play.run(taken.memberId);
  for (const deliveryId of [taken.deliveryId, waiting])
    expect(await store.row(deliveryId)).toMatchObject({ state: 'delivered', attempts: 1, refunded_at: null });
  expect(taken.received() + other.received()).toBe(2);
  expect(await store.balance(taken.memberId)).toBe(1980);
});

// Guarantee: a player who comes back under another name gets what was bought under the old one, and a stranger who has that name
// now gets nothing.
test('a player takes another name in between', async () => {
  const { game, serverId } = running.get(seven) ?? {};
  if (!game || serverId === undefined) throw new Error(`${seven} was not started`);
  const [name, renamed] = [play.newName(), play.newName()];
  const { platformId, crossId, numericId } = game.world.join(name);
  const known = `steam:${String(platformId).replace(/^\w+_/, '')}`;
  const { memberId, playerId } = await store.member(name, seven, known);
  game.world.leave(name);
  const [bought = ''] = await store.buy(memberId, seven, [sold[seven].line(name)], { serverIds: [serverId] });
  await play.run(memberId);
  expect(await store.row(bought)).toMatchObject({ state: 'waiting', waits_for: 'player', attempts: 0 });
  game.world.join(name, { platformId: 'Steam_76561197960265999' });
  game.world.join(renamed, { platformId, crossId, numericId });
  store.join(serverId, playerId, renamed);
  await play.run(memberId);
  expect(await store.row(bought)).toMatchObject({ state: 'delivered', attempts: 1 });
  expect(game.world.given.filter((one) => [name, renamed].includes(one.player))).toMatchObject([
    { player: renamed },
  ]);
});
