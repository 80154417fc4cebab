import { expect, test } from 'vitest';
import { serverMessage } from '#contracts/kernel/live.ts';
import { eventually } from '#harness/eventually.ts';
import type { Subscriber } from '../../kernel/live/live-topic.ts';
import { createTasksTopic } from './tasks-topic.ts';

const wish = { since: null, serverId: null };

// Guarantee: a flood of changes becomes a few messages; a client that may not see a server hears nothing of it, and a
// slow one is notified later.
test('changes', async () => {
  using topic = createTasksTopic(20);
  const sent: string[][] = [];
  const state = { isReady: true };
  const subscriber: Subscriber = {
    isReady: () => state.isReady,
    maySee: (serverId) => serverId !== 'hidden',
    send(message) {
      const read = serverMessage.parse(JSON.parse(message));
      if (read.type === 'agent-tasks') sent.push(read.serverIds);
    },
  };
  using _ = topic.subscribe(subscriber, wish);
  expect(sent).toEqual([[]]);
  state.isReady = false;
  for (let index = 0; index < 1000; index += 1) topic.changed(index % 2 === 0 ? 'one' : 'hidden');
  state.isReady = true;
  await eventually(() => expect(sent).toEqual([[], ['one']]));
});
