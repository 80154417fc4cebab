import { describe, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { startArk } from './ark-simulator.ts';
import { startMinecraft } from './minecraft-simulator.ts';
import type { Fate } from './quirks.ts';
import { openRawClient, type RawClient } from './raw-client.ts';
import { openRawRcon } from './raw-rcon-client.ts';
import { startSevenDays } from './seven-days-simulator.ts';
import type { Simulator } from './simulator.ts';
import { encodeFrame } from './source-rcon-frames.ts';

interface Console {
  readonly start: () => Promise<Simulator>;
  readonly open: (game: Simulator) => Promise<RawClient>;
  readonly request: (command: string) => Buffer | string;
  /** The bytes on the wire for a one-line reply. */
  readonly reply: (text: string) => Buffer;
}

const rcon = {
  open: (game: Simulator) => openRawRcon(game.port, game.password),
  request: (command: string) => encodeFrame(5, 2, command),
  reply: (text: string) => encodeFrame(5, 0, text),
};
const consoles: Readonly<Record<string, Console>> = {
  Minecraft: { ...rcon, start: () => startMinecraft() },
  ARK: { ...rcon, start: () => startArk() },
  '7 Days to Die': {
    start: () => startSevenDays(),
    async open({ port, password }) {
      const client = await openRawClient(port);
      await client.send(`${password}\n`);
      await client.until((received) => (received.includes("'exit' to end session.\r\n\r\n") ? true : null));
      client.forget();
      return client;
    },
    request: (command) => `${command}\n`,
    reply: (text) => Buffer.from(`${text}\r\n`),
  },
};

const order = 'an order';
const text = 'dönè ✓';

describe.each(Object.entries(consoles))('%s', (_, { start, open, request, reply }) => {
  const begin = async (fate: Fate) => {
    const game = await start();
    game.quirks.replies.set(order, text);
    game.quirks.fateOf = (command) => (command === order ? fate : 'answer');
    const client = await open(game);
    await client.send(request(order));
    return { game, client };
  };
  const has = (bytes: Buffer) => (received: Buffer) => (received.includes(bytes) ? true : null);
  const executed = (game: Simulator) => eventually(() => expect(game.world.commands).toEqual([order]));

  // Guarantee: execution and answer can be controlled separately for each command.
  test('answer', async () => {
    const { game, client } = await begin('answer');
    await using _game = game;
    using _client = client;
    await client.until(has(reply(text)));
    expect(game.world.commands).toEqual([order]);
  });
  test.each([
    ['die-before', []],
    ['die-after', [order]],
  ] as const)('%s', async (fate, commands) => {
    const { game, client } = await begin(fate);
    await using _game = game;
    using _client = client;
    await client.closed;
    expect(game.world.received).toEqual([order]);
    expect(game.world.commands).toEqual(commands);
    expect(has(Buffer.from(text))(client.received)).toBeNull();
  });
  test('cut', async () => {
    const { game, client } = await begin('cut');
    await using _game = game;
    using _client = client;
    await client.closed;
    const whole = reply(text);
    const half = whole.subarray(0, Math.floor(whole.length / 2));
    expect(client.received.subarray(-half.length)).toEqual(half);
    expect(game.world.commands).toEqual([order]);
  });
  test.each([
    ['silence', [order]],
    ['ignore', []],
  ] as const)('%s', async (fate, commands) => {
    const { game, client } = await begin(fate);
    await using _game = game;
    using _client = client;
    await eventually(() => expect(game.world.received).toEqual([order]));
    expect(game.world.commands).toEqual(commands);
    // The session stays open; an answer to the command would come before the next one.
    game.quirks.replies.set('next', 'answered');
    await client.send(request('next'));
    await client.until(has(reply('answered')));
    expect(has(Buffer.from(text))(client.received)).toBeNull();
  });
  test('garbage and a negative length', async () => {
    for (const fate of ['garbage', 'negative-length'] as const) {
      const { game, client } = await begin(fate);
      await using _game = game;
      using _client = client;
      const isFrame = fate === 'negative-length' && typeof request('') !== 'string';
      await client.until(has(isFrame ? Buffer.from([252, 255, 255, 255, 5, 0, 0, 0]) : game.quirks.garbage));
      await executed(game);
    }
  });
  test('endless, until it is switched off', async () => {
    const { game, client } = await begin('endless');
    await using _game = game;
    using _client = client;
    await client.until((received) => (received.length > 300_000 ? true : null));
    game.quirks.fateOf = () => 'answer';
    game.quirks.replies.set('next', 'answered');
    await executed(game);
    using other = await open(game);
    await other.send(request('next'));
    await other.until(has(reply('answered')));
  });

  // Guarantee: no matter how the bytes are cut, all of them arrive in order.
  test.each(['bytes', 'random'] as const)('fragmentation: %s', async (fragmentation) => {
    await using game = await start();
    game.quirks.fragmentation = fragmentation;
    game.quirks.replyDelayMs = 1;
    game.quirks.partDelayMs = 1;
    using client = await open(game);
    game.quirks.replies.set(order, text.repeat(200));
    await client.send(request(order));
    await client.until((received) => (received.toString().includes(text.repeat(200)) ? true : null));
  });

  // Guarantee: a simulator can be unreachable, silent or disconnecting at any time.
  test('accepting', async () => {
    await using game = await start();
    game.quirks.accept = 'close';
    using closed = await openRawClient(game.port);
    await closed.closed;
    expect(closed.received).toHaveLength(0);

    game.quirks.accept = 'silence';
    using silent = await openRawClient(game.port);
    await silent.send(request(order));
    game.quirks.accept = 'welcome';
    using client = await open(game);
    expect(silent.received).toHaveLength(0);
    expect(game.world.received).toEqual([]);
    expect([game.accepted, game.sessions]).toEqual([3, 2]);

    game.dropSessions();
    await Promise.all([client.closed, silent.closed]);
    await eventually(() => expect(game.sessions).toBe(0));
    const { port } = game;
    using again = await open(game);
    await game.goOffline();
    await again.closed;
    await expect(openRawClient(port)).rejects.toThrow(/ECONNREFUSED/);
    await game.goOffline();
    await game.comeBack();
    await game.comeBack();
    expect(game.port).toBe(port);
    using _ = await open(game);
  });
});
