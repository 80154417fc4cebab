import { expect, test } from 'vitest';
import type { DeliveryRow } from './delivery-rows.ts';
import { type MemberPlayer, type PlanFacts, planDeliveries } from './delivery-targets.ts';

const gift = {
  id: 'd',
  state: 'pending',
  game: 'minecraft',
  cluster_ids: [] as string[],
  server_ids: [] as string[],
  line: { kind: 'item', item: 'diamond', quantity: 1, position: 0 },
  attempts: 0,
  waits_for: null,
  next_try_at: new Date(0),
  expires_at: null,
  server_id: null,
  asking_player_id: 'ann',
  asking_server_id: 's2',
};
const command = { ...gift.line, kind: 'command', command: 'say hi', needsPlayer: false };

const at = (playerId: string, serverId: string, isCertain = true): MemberPlayer => ({
  playerId,
  serverId,
  name: playerId,
  handle: '',
  platformId: null,
  isCertain,
});

/** What happens to a delivery that Ann bought on s2. */
const planned = (
  present: readonly MemberPlayer[],
  { delivery = {}, closed = [] }: { readonly delivery?: object; readonly closed?: readonly string[] } = {},
) => {
  const facts: PlanFacts = {
    open: [{ ...gift, ...delivery } as unknown as DeliveryRow],
    present,
    servers: ['s1', 's2', 's3'].map((id) => ({ id, clusterId: 'c', game: 'minecraft' })),
    isOpen: (serverId) => !closed.includes(serverId),
    busy: new Set(),
    nowMs: 1,
  };
  return planDeliveries(facts).map((step) =>
    'why' in step ? step.why : `${step.target.player?.playerId} on ${step.target.serverId}`,
  );
};

// Guarantee: what was bought by chat goes to the player who typed, on the server where they typed, and to another player
// of the member only once that player has left.
test('whom a purchase by chat reaches', () => {
  expect(planned([at('bob', 's1'), at('ann', 's2')])).toEqual(['ann on s2']);
  expect(planned([at('bob', 's2'), at('ann', 's2')])).toEqual(['ann on s2']);
  expect(planned([at('ann', 's1'), at('ann', 's2')])).toEqual(['ann on s2']);
  // Ann has gone to another server since.
  expect(planned([at('bob', 's2'), at('ann', 's3')])).toEqual(['ann on s3']);
  // No one can tell whether Ann has left.
  expect(planned([at('bob', 's1'), at('ann', 's2')], { closed: ['s2'] })).toEqual(['server-away']);
  expect(planned([at('bob', 's1'), at('ann', 's2', false)])).toEqual(['player-away']);
  // Ann is where it may not be given.
  const delivery = { server_ids: ['s1'] };
  expect(planned([at('bob', 's1'), at('ann', 's2')], { delivery })).toEqual(['player-away']);
  // Ann has left: the server comes next.
  expect(planned([at('bob', 's1'), at('cal', 's2')])).toEqual(['cal on s2']);
  expect(planned([at('bob', 's1')])).toEqual(['bob on s1']);
  expect(planned([])).toEqual(['player-away']);
});

test('where a command that needs no player goes', () => {
  expect(planned([], { delivery: { line: command } })).toEqual(['undefined on s2']);
  expect(planned([], { delivery: { line: command }, closed: ['s2'] })).toEqual(['undefined on s1']);
});

test('a purchase that was not made by chat', () => {
  const delivery = { asking_player_id: null, asking_server_id: null };
  expect(planned([at('bob', 's1'), at('ann', 's2')], { delivery })).toEqual(['bob on s1']);
});
