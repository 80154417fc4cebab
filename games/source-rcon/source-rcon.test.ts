import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { writePieces } from '../wire/testing/raw-peer.ts';
import { fenced, open, quiet, runPatiently } from './testing/rcon-client.ts';
import { type RconRequest, rconFrame, startRconPeer } from './testing/rcon-peer.ts';

const dialects = { fenced, quiet };
const answered = (reply: string) => expect.objectContaining({ outcome: 'answered', reply, sent: true });

/** Characters of one to four bytes; no surrogate pair is where Minecraft splits. */
const manyBytes = (length: number) => '⛏äz€'.repeat(Math.ceil(length / 4)).slice(0, length);
/** Like Minecraft: 4096 characters per frame, and no empty one at the end. */
const cutCharacters = (text: string) => text.match(/[\s\S]{1,4096}/g) ?? [''];

// Guarantee: each command gets its own reply, in the order in which they were given.
test.each(Object.entries(dialects))('commands one after the other: %s', async (_name, dialect) => {
  await using peer = await startRconPeer();
  using connection = await open(peer.target(), dialect);
  const commands = Array.from({ length: 40 }, (_, number) => `say ${number}`);
  const results = await Promise.all(commands.map((command) => connection.run(command, runPatiently)));
  expect(results).toEqual(commands.map((command) => answered(`did ${command}`)));
  expect(peer.commands).toEqual(commands);
  expect(peer.faults).toEqual([]);
});

// Guarantee: an answer counts whether its type is 0 or 2, and an empty one is an answer.
test.each([0, 2])('an answer of type %i', async (type) => {
  await using peer = await startRconPeer({
    onRequest: ({ id, body, socket }) =>
      void socket.write(rconFrame(id, type, body === 'save-all' ? '' : 'yes')),
  });
  for (const dialect of [fenced, quiet]) {
    using connection = await open(peer.target(), dialect);
    expect(await connection.run('list', runPatiently)).toEqual(answered('yes'));
    expect(await connection.run('save-all', runPatiently)).toEqual(answered(''));
  }
});

// Guarantee: the empty frame that some servers send before the login's answer neither grants nor denies access.
test('an empty frame before the login answer', async () => {
  await using peer = await startRconPeer({
    onLogin: ({ id, body, socket, reply }) => {
      reply('');
      socket.write(rconFrame(body === 'correct horse' ? id : -1, 2, ''));
    },
  });
  using connection = await open(peer.target(), quiet);
  expect(await connection.run('list', runPatiently)).toEqual(answered('did list'));
});

// Guarantee: text that cannot be one command is refused before a byte of it is sent.
test('no command but a single line of the game’s length', async () => {
  await using peer = await startRconPeer();
  using connection = await open(peer.target(), fenced);
  const invalid = ['say a\nop Bob', 'say a\rop Bob', 'say \0', '', '  ', '\u0085', 'ä'.repeat(724)];
  for (const command of invalid)
    expect(await connection.run(command, runPatiently)).toMatchObject({
      outcome: 'invalid command',
      reply: null,
      sent: false,
    });
  const longest = 'ä'.repeat(723);
  expect(await connection.run(longest, runPatiently)).toEqual(answered(`did ${longest}`));
  expect(peer.commands).toEqual([longest]);
});

describe('Minecraft', () => {
  // Guarantee: a reply of any length arrives whole, with no frame sent before the previous one was answered.
  test.each([0, 1, 4095, 4096, 4097, 8192, 10_240, 65_536])('%i characters', async (length) => {
    const text = manyBytes(length);
    let fences = 0;
    await using peer = await startRconPeer({
      onRequest({ type, reply }) {
        if (type === 2) return reply(...cutCharacters(text));
        fences += 1;
        reply(`Unknown request ${type.toString(16)}`);
      },
    });
    using connection = await open(peer.target(), fenced);
    for (let time = 0; time < 2; time += 1)
      expect(await connection.run('help', runPatiently)).toMatchObject({
        outcome: 'answered',
        reply: text,
        truncated: false,
      });
    expect(peer.faults).toEqual([]);
    expect(fences).toBe(Buffer.byteLength(text.slice(0, 4096)) >= 4096 ? 2 : 0);
  });
});

describe('ARK', () => {
  const whole = manyBytes(10_240);
  const bytes = Buffer.from(whole);
  const framesOf = (size: number) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, at * size + size),
    );
  const exact = Buffer.from(manyBytes(4096)).subarray(0, 4095);

  // Guarantee: a reply in several frames is read to its end, wherever the frames split its characters.
  test.each<[string, Uint8Array[], string]>([
    ['frames of 4096 bytes', framesOf(4096), whole],
    ['frames of 4095 bytes', framesOf(4095), whole],
    ['frames of 1025 bytes', framesOf(1025), whole],
    ['one frame of all', [bytes], whole],
    ['an empty last frame', [...framesOf(4096), Buffer.alloc(0)], whole],
    ['an empty first frame', [Buffer.alloc(0), ...framesOf(4096)], whole],
    ['exactly one full frame', [exact], exact.toString()],
    ['exactly one full frame and an empty one', [exact, Buffer.alloc(0)], exact.toString()],
    [
      'an empty one and a short one',
      [Buffer.alloc(0), Buffer.from('No Players Connected')],
      'No Players Connected',
    ],
  ])('%s', async (_name, frames, text) => {
    await using peer = await startRconPeer({
      onRequest: ({ body, reply }) => (body === 'ListPlayers' ? reply(...frames) : reply('short')),
    });
    using connection = await open(peer.target(), quiet);
    const [list, after] = await Promise.all([
      connection.run('ListPlayers', runPatiently),
      connection.run('SaveWorld', runPatiently),
    ]);
    expect(list).toEqual(answered(text));
    expect(after).toEqual(answered('short'));
  });

  // Guarantee: a frame that arrives haltingly belongs to its reply, however long the pauses between its pieces.
  test('a frame in the middle of which nothing comes for a while', async () => {
    const bodies = ['a'.repeat(2000), 'b'.repeat(2000), 'c'];
    await using peer = await startRconPeer({
      onRequest({ id, socket }) {
        const bytes = Buffer.concat(bodies.map((body) => rconFrame(id, 0, body)));
        const cuts = [2100, 3000, 3001, bytes.length];
        // Five times as long as the silence that ends a reply.
        for (const [at, end] of cuts.entries())
          setTimeout(() => socket.write(bytes.subarray(cuts[at - 1] ?? 0, end)), at * 100);
      },
    });
    using connection = await open(peer.target(), { ...quiet, quietMs: 20 });
    expect(await connection.run('ListPlayers', runPatiently)).toEqual(answered(bodies.join('')));
  });

  // Guarantee: bytes that arrived while this machine was busy are read before a reply counts as complete.
  test('a frame that comes while nobody looks', async () => {
    const bodies = ['a'.repeat(2000), 'b'];
    await using peer = await startRconPeer({
      onRequest({ id, socket }) {
        socket.write(rconFrame(id, 0, bodies[0] ?? ''));
        const beBusy = () => {
          socket.write(rconFrame(id, 0, bodies[1] ?? ''));
          const until = performance.now() + 1200;
          while (performance.now() < until);
        };
        // Timers run after immediates and before received data.
        setTimeout(() => setImmediate(beBusy), 50);
      },
    });
    // Long after the 50 ms on any machine: together they would be late.
    using connection = await open(peer.target(), { ...quiet, quietMs: 1000 });
    expect(await connection.run('ListPlayers', runPatiently)).toEqual(answered(bodies.join('')));
  });

  // Guarantee: unsolicited messages of the game, and late answers to an earlier command, never count as an answer.
  test('Keep Alive and late frames shift nothing', async () => {
    const keepAlive = ({ id, socket }: RconRequest) => {
      for (const stray of [0, id, -1, 4711]) socket.write(rconFrame(stray, 0, 'Keep Alive'));
    };
    await using peer = await startRconPeer({
      onLogin(request) {
        keepAlive(request);
        request.socket.write(rconFrame(request.id, 2, ''));
        keepAlive(request);
      },
      onRequest(request) {
        keepAlive(request);
        request.socket.write(rconFrame(request.id - 1, 0, 'of the command before'));
        request.socket.write(rconFrame(request.id + 1, 0, 'of the command to come'));
        request.reply(`did ${request.body}`);
        keepAlive(request);
        request.socket.write(rconFrame(request.id, 0, 'a late frame'));
      },
    });
    using connection = await open(peer.target(), quiet);
    for (const command of ['one', 'two', 'three'])
      expect(await connection.run(command, runPatiently)).toEqual(answered(`did ${command}`));
  });
});

// Guarantee: characters of several bytes arrive whole however they are split into frames and packets.
test('10,240 characters in 60 splittings', async () => {
  const text = manyBytes(10_240);
  const bytes = Buffer.from(text);
  const bodies = Array.from({ length: 6 }, (_, at) => bytes.subarray(at * 4096, (at + 1) * 4096));
  let cuts: readonly number[] = [];
  let written: Promise<void> = Promise.resolve();
  await using peer = await startRconPeer({
    onRequest({ id, type, socket }) {
      const frames = type === 2 ? [...bodies, Buffer.alloc(0)].map((body) => rconFrame(id, 0, body)) : null;
      const wire = Buffer.concat(frames ?? [rconFrame(id, 0, 'Unknown request 64')]);
      const ends = [...cuts, wire.length].map((cut) => Math.min(cut, wire.length)).sort((a, b) => a - b);
      const pieces = ends.map((end, at) => wire.subarray(ends[at - 1] ?? 0, end));
      // The game reads the next request when it has written everything.
      written = written.then(() => writePieces(socket, pieces));
    },
  });
  using byFence = await open(peer.target(), fenced);
  // The empty frame is the end: no silence is awaited, so that no slow machine can cut a reply short.
  using byQuiet = await open(peer.target(), { ...quiet, quietMs: 20_000 });
  let splittings = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: bytes.length }), { maxLength: 30 }), async (chosen) => {
      cuts = chosen;
      splittings += 1;
      for (const connection of [byFence, byQuiet]) {
        const { reply } = await connection.run('help', runPatiently);
        expect(reply === text).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
  expect(splittings).toBe(60);
});

describe('what ends a connection', () => {
  const silentAfter = (command: string) => ({
    onRequest: ({ body, reply }: RconRequest) => (body === command ? undefined : reply(`did ${body}`)),
  });

  // Guarantee: a command without an answer in time counts as sent, and none behind it is sent.
  test('no answer in time', async () => {
    await using peer = await startRconPeer(silentAfter('slow'));
    using connection = await open(peer.target(), quiet);
    const results = await Promise.all([
      connection.run('first', runPatiently),
      connection.run('slow', { timeoutMs: 100 }),
      connection.run('third', runPatiently),
    ]);
    expect(results).toMatchObject([
      { outcome: 'answered', sent: true },
      { outcome: 'timeout', sent: true, reply: null },
      { outcome: 'connection lost', sent: false, reply: null },
    ]);
    expect(await connection.ended).toMatch(/no answer in time/);
    expect(await connection.run('late', runPatiently)).toMatchObject({
      outcome: 'connection lost',
      sent: false,
    });
    expect(peer.commands).toEqual(['first', 'slow']);
  });

  // Guarantee: a cancelled command that still waits is never sent; one that was sent ends the connection.
  test('cancelling', async () => {
    await using peer = await startRconPeer(silentAfter('slow'));
    using connection = await open(peer.target(), quiet);
    const inFlight = new AbortController();
    const queued = new AbortController();
    const running = [
      connection.run('slow', { ...runPatiently, signal: inFlight.signal }),
      connection.run('never', { ...runPatiently, signal: queued.signal }),
      connection.run('third', runPatiently),
    ];
    queued.abort();
    expect(await running[1]).toMatchObject({ outcome: 'cancelled', sent: false });
    await eventually(() => expect(peer.commands).toEqual(['slow']));
    inFlight.abort();
    expect(await Promise.all(running)).toMatchObject([
      { outcome: 'cancelled', sent: true },
      { outcome: 'cancelled', sent: false },
      { outcome: 'connection lost', sent: false },
    ]);
    expect(await connection.run('x', { ...runPatiently, signal: inFlight.signal })).toMatchObject({
      outcome: 'cancelled',
      sent: false,
    });
    expect(peer.commands).toEqual(['slow']);
  });

  // Guarantee: a command that has waited too long for its turn is not sent, and does no harm.
  test('a turn that never comes', async () => {
    const finish = Promise.withResolvers<void>();
    await using peer = await startRconPeer({
      onRequest: ({ body, reply }) => {
        if (body === 'slow') void finish.promise.then(() => reply('done at last'));
        else reply(`did ${body}`);
      },
    });
    using connection = await open(peer.target(), quiet);
    const slow = connection.run('slow', runPatiently);
    expect(await connection.run('brief', { ...runPatiently, turnTimeoutMs: 50 })).toMatchObject({
      outcome: 'expired',
      sent: false,
    });
    await eventually(() => expect(peer.commands).toEqual(['slow']));
    finish.resolve();
    expect(await slow).toEqual(answered('done at last'));
    expect(await connection.run('next', runPatiently)).toEqual(answered('did next'));
    expect(peer.commands).toEqual(['slow', 'next']);
  });

  // Guarantee: closing settles every command, and so does a connection that the game cuts.
  test.each(['here', 'there', 'there, in the middle of a reply'])('closed %s', async (where) => {
    await using peer = await startRconPeer({
      onRequest: ({ id, socket }) => {
        if (where === 'there, in the middle of a reply')
          socket.write(rconFrame(id, 0, 'half').subarray(0, 14));
        if (where !== 'here') socket.end();
      },
    });
    using connection = await open(peer.target(), quiet);
    const running = ['one', 'two', 'three'].map((command) => connection.run(command, runPatiently));
    await eventually(() => expect(peer.commands).toEqual(['one']));
    if (where === 'here') connection[Symbol.dispose]();
    expect(await Promise.all(running)).toMatchObject([
      { outcome: 'connection lost', sent: true, reply: null },
      { outcome: 'connection lost', sent: false },
      { outcome: 'connection lost', sent: false },
    ]);
    await connection.ended;
  });
});
