import { expect, test } from 'vitest';
import { type ServerMessage, serverMessage } from '#contracts/kernel/live.ts';
import type { GameServerStatus } from '#contracts/servers/game-servers.ts';
import type { NumberedStatus } from './server-status.ts';
import { createServersTopic } from './servers-topic.ts';

const status = (players: number): GameServerStatus => ({
  state: 'online',
  detail: null,
  outcome: 'answered',
  via: 'direct',
  since: null,
  answeredAt: null,
  players,
  agentMode: null,
  shown: 'unknown',
  process: null,
});

const setUp = () => {
  const all = new Map<string, NumberedStatus>();
  let sweep: () => void = () => undefined;
  const topic = createServersTopic({
    all: () => all,
    onSweep(listener) {
      sweep = listener;
      return () => undefined;
    },
  });
  const visible = new Set<string>();
  const state = { isReady: true };
  const messages: ServerMessage[] = [];
  const subscribe = () =>
    topic.subscribe(
      {
        isReady: () => state.isReady,
        send: (message) => messages.push(serverMessage.parse(JSON.parse(message))),
        maySee: (id) => visible.has(id),
      },
      { since: null, serverId: null },
    );
  const set = (id: string, number: number) => all.set(id, { status: status(number), number });
  /** What has arrived since the last check: server and players. */
  const taken = () =>
    messages
      .splice(0)
      .flatMap((message) => (message.type === 'servers' ? message.servers : []))
      .map((each) => `${each.serverId} ${each.status.players}`);
  return { all, visible, state, subscribe, set, taken, sweep: () => sweep() };
};

// Guarantee: everything visible is sent at first, then changes, and each message contains only what may be seen at that time.
test('what is sent', () => {
  const { visible, subscribe, set, taken, sweep } = setUp();
  set('one', 1);
  set('two', 2);
  visible.add('one');
  using _subscription = subscribe();
  expect(taken()).toEqual(['one 1']);
  set('two', 3);
  sweep();
  expect(taken()).toEqual([]);
  visible.add('two');
  sweep();
  expect(taken()).toEqual(['two 3']);
  visible.delete('one');
  set('one', 4);
  sweep();
  visible.add('one');
  sweep();
  expect(taken()).toEqual(['one 4']);
});

// Guarantee: a client that falls behind gets the latest status once it catches up, not all those in between.
test('a slow client', () => {
  const { visible, state, subscribe, set, taken, sweep } = setUp();
  visible.add('one');
  set('one', 1);
  using _subscription = subscribe();
  expect(taken()).toEqual(['one 1']);
  state.isReady = false;
  for (let number = 2; number < 100; number += 1) {
    set('one', number);
    sweep();
  }
  expect(taken()).toEqual([]);
  state.isReady = true;
  sweep();
  expect(taken()).toEqual(['one 99']);
});
