import { expect, test } from 'vitest';
import type { Permission } from '#contracts/identity/permissions.ts';
import { type ServerMessage, serverMessage } from '#contracts/kernel/live.ts';
import type { Actor } from '../access/actor.ts';
import { testOwner } from '../testing/feature-api.ts';
import type { LiveTopics, Subscriber } from './live-topic.ts';
import { openSubscriptions } from './subscriptions.ts';

const unused: LiveTopics['events'] = {
  subscribe() {
    throw new Error('nobody subscribes to this topic here');
  },
  [Symbol.dispose]: () => undefined,
};
const setUp = (first: Actor) => {
  const messages: ServerMessage[] = [];
  const open = new Set<Subscriber>();
  let actor = first;
  const counted: LiveTopics['console'] = {
    subscribe(subscriber) {
      open.add(subscriber);
      return { [Symbol.dispose]: () => void open.delete(subscriber) };
    },
    [Symbol.dispose]: () => undefined,
  };
  const subscriptions = openSubscriptions({
    topics: {
      events: unused,
      health: unused,
      figures: unused,
      servers: counted,
      players: unused,
      console: counted,
      log: counted,
      deliveries: unused,
      enrolments: unused,
      'agent-tasks': unused,
      waiting: unused,
    },
    subscriber: {
      isReady: () => true,
      send: (message) => messages.push(serverMessage.parse(JSON.parse(message))),
    },
    actor: () => actor,
  });
  const become = (next: Actor) => {
    actor = next;
    subscriptions.renew();
  };
  return { messages, open, subscriptions, become };
};
const on = (serverId: string, ...names: Permission[]): Actor => ({
  ...testOwner,
  permissions: new Set(),
  serverPermissions: new Map([[serverId, new Set(names)]]),
});

// Guarantee: a connection has a limited number of subscriptions; repeating one takes no more room.
test('at most a hundred', () => {
  const { messages, open, subscriptions } = setUp(testOwner);
  for (let index = 0; index < 101; index += 1)
    subscriptions.subscribe({ type: 'subscribe', topic: 'console', serverId: `s${index}` });
  subscriptions.subscribe({ type: 'subscribe', topic: 'console', serverId: 's1' });
  expect(open.size).toBe(100);
  expect(messages).toMatchObject([{ type: 'ended', serverId: 's100', code: 'RATE_LIMITED' }]);
  subscriptions.endAll();
  expect(open.size).toBe(0);
});

// Guarantee: the logs of two components are two subscriptions: each can be ended alone, and both end with the permission.
test('components', () => {
  const { messages, open, subscriptions, become } = setUp(testOwner);
  for (const component of ['api', 'bot', 'postgres', 'api'] as const)
    subscriptions.subscribe({ type: 'subscribe', topic: 'log', component });
  expect(open.size).toBe(3);
  subscriptions.unsubscribe({ type: 'unsubscribe', topic: 'log', component: 'bot' });
  expect(open.size).toBe(2);
  become({ ...testOwner, permissions: new Set() });
  expect(open.size).toBe(0);
  expect(messages).toMatchObject([
    { type: 'ended', topic: 'log', component: 'bot', code: null },
    { type: 'ended', topic: 'log', component: 'api', code: 'FORBIDDEN' },
    { type: 'ended', topic: 'log', component: 'postgres', code: 'FORBIDDEN' },
  ]);
});

// Guarantee: a subscriber sees what its actor may see at that moment, and a subscription ends with the last permission for it.
test('permissions of now', () => {
  const { messages, open, subscriptions, become } = setUp(on('one', 'servers.read'));
  subscriptions.subscribe({ type: 'subscribe', topic: 'servers' });
  const [subscriber] = open;
  const visible = () => ['one', 'two'].filter((id) => subscriber?.maySee(id));
  expect(visible()).toEqual(['one']);
  become(on('two', 'servers.read'));
  expect(visible()).toEqual(['two']);
  become(testOwner);
  expect(visible()).toEqual(['one', 'two']);
  become(on('one', 'console.read'));
  expect(messages).toMatchObject([{ type: 'ended', topic: 'servers', code: 'FORBIDDEN' }]);
  expect(open.size).toBe(0);
});
