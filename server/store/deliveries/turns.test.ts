import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { deliveriesOfATest } from './testing/deliveries-of-a-test.ts';

const greet = {
  kind: 'command' as const,
  command: 'say {player}',
  success: [],
  failure: [],
  needsPlayer: true,
  quantity: 1,
  position: 0,
};

// Guarantee: deliveries that wait for a list of players, since their replies prove nothing, delay no other member of
// that server.
test('more members than a server has places wait for the list', async () => {
  // A list that cannot be read is requested again later than this test takes.
  await using store = await deliveriesOfATest({ presenceMs: 600_000, lookMs: 600_000 });
  const serverId = await store.server('minecraft');
  const there: string[] = [];
  let lists = 0;
  let greeted = 0;
  await store.agent(serverId, (command) => {
    if (command.startsWith('say')) {
      greeted += 1;
      return '';
    }
    lists += 1;
    // One that cannot be read is also requested in the game's other way.
    const isBeforeGift = lists === 3 * greeted + 1;
    return isBeforeGift ? `There are 1 of a max of 20 players online: ${there.at(-1)}` : 'Loading …';
  });
  await eventually(() => expect(store.gateway.gateway.connectionOf(serverId)).not.toBeNull());
  for (let number = 1; number <= 20; number += 1) {
    const name = `Waiting${number}`;
    there.push(name);
    const { memberId, playerId } = await store.member(name, 'minecraft');
    store.join(serverId, playerId, name);
    const [id = ''] = await store.buy(memberId, 'minecraft', [greet], { serverIds: [serverId] });
    store.deliveries.wake([memberId]);
    await eventually(() => expect({ greeted, lists }).toEqual({ greeted: number, lists: 3 * number }));
    expect(await store.row(id)).toMatchObject({ state: 'sending' });
  }
});
