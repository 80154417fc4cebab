import { eventually } from '#harness/eventually.ts';
import { testOwner } from '../../../kernel/testing/feature-api.ts';
import type { DeliveryTiming } from '../delivery-timing.ts';
import { type DeliveriesOfATest, deliveriesOfATest } from './deliveries-of-a-test.ts';
import { createRecordingGame } from './recording-game.ts';

export const by = { actor: testOwner, address: '127.0.0.1' };
export const diamond = (quantity = 1) => ({
  kind: 'item' as const,
  item: 'diamond',
  quantity,
  position: 0,
});
export const say = {
  kind: 'command' as const,
  command: 'say hi',
  success: [],
  failure: [],
  needsPlayer: false,
  quantity: 1,
  position: 0,
};

const notReady = { outcome: 'not ready' as const, reply: null, truncated: false, sent: false, durationMs: 0 };
const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A store, and the games that tests deliver to. */
export const openStoreInPlay = async (timing: Partial<DeliveryTiming> = {}) => {
  const store: DeliveriesOfATest = await deliveriesOfATest(timing);
  let made = 0;
  const newName = () => {
    made += 1;
    return `Player${made}`;
  };

  return {
    store,
    newName,
    async run(memberId: string) {
      store.deliveries.wake([memberId]);
      await store.deliveries.idle();
    },
    /** A server whose agent keeps a record of gifts, with a present member. */
    async recordingServer() {
      const world = createRecordingGame();
      const lost = { next: false };
      const serverId = await store.server('minecraft');
      await store.agent(serverId, (command) => {
        if (world.mood === 'silent') return null;
        if (world.mood === 'starting') return notReady;
        const reply = world.run(command);
        if (!lost.next || !command.includes('run minecraft:give') || command.includes('stone')) return reply;
        lost.next = false;
        return null;
      });
      await eventually(() => {
        if (!store.gateway.gateway.connectionOf(serverId)) throw new Error('the agent is not there yet');
      });
      const name = newName();
      const uuid = uuidOf(made);
      const member = await store.member(name, 'minecraft', `minecraft:${uuid}`);
      world.there.set(uuid, name);
      store.join(serverId, member.playerId, name);
      return { world, lost, serverId, uuid, name, ...member };
    },
  };
};
export type StoreInPlay = Awaited<ReturnType<typeof openStoreInPlay>>;
