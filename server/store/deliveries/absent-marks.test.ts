import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { answered } from '../../servers/agents/testing/scripted-agent.ts';
import { markIdOf } from './delivery-rows.ts';
import { createRecordingGame } from './testing/recording-game.ts';
import { diamond, openStoreInPlay, type StoreInPlay } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
});
afterAll(() => store[Symbol.asyncDispose]());

// Guarantee: an absent mark proves nothing if the game was down in between; if it ran on, it proves that nothing happened.
test('an absent mark counts only while the game ran on', async () => {
  const { world, memberId, serverId } = await play.recordingServer();
  const [id = '', other = ''] = await store.buy(memberId, 'minecraft', [diamond(1), diamond(2)], {
    serverIds: [serverId],
  });
  await play.run(memberId);
  const forget = async (delivery: string) => {
    await store.database.pool.query(
      `update deliveries set state = 'sending', certainty = null, ended_at = null where id = $1`,
      [delivery],
    );
    await store.database.pool.query('delete from agent_commands');
    world.marks.delete(markIdOf({ id: delivery, generation: 1 }));
  };
  await forget(id);
  await store.restart();
  // It runs on, so nothing had happened; what may still be in transit is withdrawn, and the next try has another mark.
  await eventually(async () =>
    expect(await store.row(id)).toMatchObject({ state: 'waiting', attempts: 1, generation: 2 }),
  );
  expect(world.marks.get(`${id}-1`)).toBe('2b');
  await forget(other);
  world.crash();
  await store.restart();
  await eventually(async () =>
    expect(await store.row(other)).toMatchObject({ state: 'unknown', desk_reason: 'unknown' }),
  );
});

// Guarantee: a reply over the connection that carried the gift proves that the game ran on, even if its clock lags;
// over another one it proves nothing.
test.each([
  ['the same connection', () => 'one', { state: 'waiting', waits_for: 'player', attempts: 1 }],
  ['another connection', (count: number) => `${count}`, { state: 'unknown', desk_reason: 'unknown' }],
  ['no word of the connection', () => undefined, { state: 'unknown', desk_reason: 'unknown' }],
])('an absent mark, asked for over %s', async (_name, connectionOf, expected) => {
  const world = createRecordingGame();
  const serverId = await store.server('minecraft');
  let count = 0;
  await store.agent(serverId, (command) => {
    count += 1;
    const connection = connectionOf(count);
    // A clock that runs unlike any world's, so that it proves nothing.
    const reply = command.includes('gametime') ? `The time is ${count * 1000}` : world.run(command);
    return { ...answered(reply), ...(connection === undefined ? {} : { connection }) };
  });
  await eventually(() => expect(store.gateway.gateway.connectionOf(serverId)).not.toBeNull());
  const name = play.newName();
  const { memberId, playerId } = await store.member(name, 'minecraft', `minecraft:${randomUUID()}`);
  // Present according to memory, and away according to the game.
  store.join(serverId, playerId, name);
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  await play.run(memberId);
  expect(await store.row(id)).toMatchObject(expected);
  expect(world.given).toEqual([]);
});
