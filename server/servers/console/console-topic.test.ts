import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServerMessage, serverMessage } from '#contracts/kernel/live.ts';
import type { ConsoleEntry } from '#contracts/servers/console.ts';
import { eventually } from '#harness/eventually.ts';
import type { Subscriber } from '../../kernel/live/live-topic.ts';
import { type ConsoleTopic, createConsoleTopic } from './console-topic.ts';
import { createHiddenSecrets, type HiddenSecrets } from './hidden-secrets.ts';

let topic: ConsoleTopic;
let inUse: Set<string>;
let onChange: () => void;
let watched: [string, number][];
let hiddenSecrets: HiddenSecrets;
let nowMs = 0;

beforeEach(() => {
  inUse = new Set(['one', 'two']);
  watched = [];
  hiddenSecrets = createHiddenSecrets(() => nowMs);
  topic = createConsoleTopic({
    servers: {
      get: (id) => (inUse.has(id) ? {} : null),
      subscribe(listener) {
        onChange = listener;
        return () => undefined;
      },
    },
    watch: (serverId, seconds) => watched.push([serverId, seconds]),
    hiddenSecrets,
    traitsOf: (_, text) => (text.includes('WARN') ? { severity: 'warn' } : {}),
  });
});
afterEach(() => topic[Symbol.dispose]());

const client = () => {
  const messages: ServerMessage[] = [];
  const state = { isReady: true };
  const subscriber: Subscriber = {
    isReady: () => state.isReady,
    send: (message) => messages.push(serverMessage.parse(JSON.parse(message))),
    maySee: () => true,
  };
  const all = <Type extends ServerMessage['type']>(type: Type) =>
    messages.filter((message): message is Extract<ServerMessage, { type: Type }> => message.type === type);
  return { subscriber, messages, state, all };
};
const subscribe = (to: ReturnType<typeof client>, serverId: string) =>
  topic.subscribe(to.subscriber, { since: null, serverId });
const line = (text: string) => ({ at: new Date(), text });
const entry = (id: string, serverId = 'one'): ConsoleEntry => ({
  id,
  at: new Date().toISOString(),
  serverId,
  actor: { kind: 'admin', id: 'a', name: 'A' },
  command: 'list',
  outcome: 'answered',
  reply: 'x'.repeat(1000),
  truncated: false,
  durationMs: 1,
  via: 'direct',
  runId: 'r',
});

// Guarantee: a game that logs whispers shows no one the codes in them, for as long as they are valid.
test('lines that repeat a secret', async () => {
  const one = client();
  using _ = subscribe(one, 'one');
  hiddenSecrets.hide('one', 'K7WD-3M9P');
  hiddenSecrets.hide('two', '123456');
  topic.lines('one', [line('[Rcon: You whisper to Ann: /link K7WD-3M9P]'), line('123456 K7WD-3M9P')]);
  nowMs += 600_001;
  topic.lines('one', [line('K7WD-3M9P')]);
  await eventually(() => expect(one.all('lines').flatMap(({ lines }) => lines)).toHaveLength(3));
  expect(one.all('lines').flatMap(({ lines }) => lines.map(({ text }) => text))).toEqual([
    '[Rcon: You whisper to Ann: /link [code]]',
    '123456 [code]',
    'K7WD-3M9P',
  ]);
});

// Guarantee: lines and commands of a server reach those who watch it, in order, and no one else.
test('lines and entries', async () => {
  const one = client();
  const two = client();
  using _first = subscribe(one, 'one');
  using _second = subscribe(two, 'two');
  topic.lines('one', [line('a'), line('b\0 [WARN]')]);
  topic.lines('one', [line('c')]);
  topic.entry(entry('1'));
  await eventually(() => expect(one.all('entry')).toHaveLength(1));
  const [message] = one.all('lines');
  expect(message).toMatchObject({ serverId: 'one', skipped: 0 });
  expect(message?.lines.map(({ text, severity }) => [text, severity])).toEqual([
    ['a', undefined],
    ['b\ufffd [WARN]', 'warn'],
    ['c', undefined],
  ]);
  expect(two.messages.map(({ type }) => type)).toEqual(['subscribed']);
});

// Guarantee: however much arrives, only a bounded amount is kept for a client that takes nothing; it learns how many lines are missing.
test('a slow client', async () => {
  const slow = client();
  const quick = client();
  using _slow = subscribe(slow, 'one');
  using _quick = subscribe(quick, 'one');
  slow.state.isReady = false;
  for (let index = 0; index < 10_000; index += 1) topic.lines('one', [line(`line ${index}`)]);
  for (let index = 0; index < 100; index += 1) topic.entry(entry(String(index)));
  await eventually(() => expect(quick.all('entry')).toHaveLength(20));
  expect(slow.messages.map(({ type }) => type)).toEqual(['subscribed']);
  slow.state.isReady = true;
  await eventually(() => expect(slow.all('entry')).toHaveLength(20));
  const [message] = slow.all('lines');
  expect(message?.lines).toHaveLength(500);
  expect(message?.lines.at(-1)?.text).toBe('line 9999');
  expect(message?.skipped).toBe(9500);
  topic.lines('one', [line('x'.repeat(100_000))]);
  await eventually(() => expect(slow.all('lines')).toHaveLength(2));
  expect(slow.all('lines')[1]?.lines[0]?.text).toHaveLength(4000);
});

// Guarantee: an agent is asked for lines while someone watches, and told when the last watcher has gone.
test('watching', () => {
  const first = subscribe(client(), 'one');
  const second = subscribe(client(), 'one');
  expect(watched).toEqual([['one', 60]]);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  expect(watched).toHaveLength(1);
  second[Symbol.dispose]();
  expect(watched).toEqual([
    ['one', 60],
    ['one', 0],
  ]);
});

// Guarantee: a server that does not exist, or is archived, has no console.
test('no such server', () => {
  const one = client();
  subscribe(one, 'nowhere');
  subscribe(one, 'one');
  inUse.delete('one');
  onChange();
  expect(one.messages).toMatchObject([
    { type: 'ended', serverId: 'nowhere', code: 'NOT_FOUND' },
    { type: 'subscribed', serverId: 'one' },
    { type: 'ended', serverId: 'one', code: 'NOT_FOUND' },
  ]);
});
