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

// Guarantee: deliveries that wait for the next list of players, since their replies prove nothing, hold up no other member
// of that server.
test('more members than a server has places wait for the list', async () => {
  await using store = await deliveriesOfATest({ presenceMs: 600_000 });
  const serverId = await store.server('minecraft');
  const heard: string[] = [];
  await store.agent(serverId, (command) => {
    heard.push(command);
    return '';
  });
  await eventually(() => expect(store.gateway.gateway.connectionOf(serverId)).not.toBeNull());
  let listedAt = new Date();
  const ids: string[] = [];
  const memberIds: string[] = [];
  for (let number = 1; number <= 20; number += 1) {
    const name = `Waiting${number}`;
    const { memberId, playerId } = await store.member(name, 'minecraft');
    store.join(serverId, playerId, name, () => listedAt);
    ids.push(...(await store.buy(memberId, 'minecraft', [greet], { serverIds: [serverId] })));
    memberIds.push(memberId);
  }
  store.deliveries.wake(memberIds);
  await eventually(() => expect(heard).toHaveLength(20));
  for (const id of ids) expect(await store.row(id)).toMatchObject({ state: 'sending' });
  listedAt = new Date(Date.now() + 3_600_000);
  await store.deliveries.idle();
  for (const id of ids)
    expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'unconfirmed' });
});
