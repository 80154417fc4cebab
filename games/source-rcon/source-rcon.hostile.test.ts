import { createServer as createHttpServer } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { startRawPeer, writePieces } from '../wire/testing/raw-peer.ts';
import { sourceRcon } from './source-rcon.ts';
import { failToOpen, fenced, open, patient, quiet, runPatiently } from './testing/rcon-client.ts';
import { type RconRequest, rconFrame, startRconPeer } from './testing/rcon-peer.ts';

const password = 'correct horse';

// Guarantee: a wrong password is never a login, whatever order and form the refusal comes in.
test.each<[string, (request: RconRequest) => void, string]>([
  ['as Minecraft', ({ socket }) => void socket.write(rconFrame(-1, 2, '')), 'authentication failed'],
  [
    'as Source, after an empty frame',
    ({ id, socket }) => {
      socket.write(rconFrame(id, 0, ''));
      socket.write(rconFrame(-1, 2, ''));
    },
    'authentication failed',
  ],
  [
    'with a Keep Alive first',
    ({ socket }) => {
      socket.write(rconFrame(-1, 0, 'Keep Alive'));
      socket.write(rconFrame(-1, 2, ''));
    },
    'authentication failed',
  ],
  ['of type 0', ({ socket }) => void socket.write(rconFrame(-1, 0, '')), 'authentication failed'],
  ['by closing', ({ socket }) => void socket.end(), 'authentication failed'],
  [
    'by an empty frame and closing',
    ({ id, socket }) => void socket.end(rconFrame(id, 0, '')),
    'authentication failed',
  ],
  ['by another id', ({ id, socket }) => void socket.write(rconFrame(id + 1, 2, '')), 'wrong protocol'],
  ['by id 0', ({ socket }) => void socket.write(rconFrame(0, 2, '')), 'wrong protocol'],
  ['by our own frame', ({ id, body, socket }) => void socket.write(rconFrame(id, 3, body)), 'wrong protocol'],
  [
    'by half a frame',
    ({ id, socket }) => void socket.end(rconFrame(id, 2, '').subarray(0, 9)),
    'wrong protocol',
  ],
  ['by a reset', ({ socket }) => void socket.resetAndDestroy(), 'connection lost'],
])('refused %s', async (_name, onLogin, outcome) => {
  await using peer = await startRconPeer({ onLogin });
  const failure = await failToOpen(peer.target(password), quiet);
  expect(failure.outcome).toBe(outcome);
  expect(JSON.stringify(failure)).not.toContain(password);
});

// Guarantee: an answer without the login's type proves nothing: silence after it is not a login.
test('an empty frame alone is no login', async () => {
  await using peer = await startRconPeer({ onLogin: ({ reply }) => reply('') });
  const failure = await failToOpen(peer.target(), quiet, { connectTimeoutMs: 300 });
  expect(failure.outcome).toBe('timeout');
});

// Guarantee: other kinds of servers are named for what they are.
test.each([
  ['SSH', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['SMTP', '220 mail.example ESMTP\r\n'],
  ['MySQL', Buffer.from('4a0000000a382e302e333600080000004f2d', 'hex')],
  ['a TLS alert', Buffer.from('15030300020228', 'hex')],
  ['telnet', 'Please enter password:'],
  ['a negative length', Buffer.from('fcffffff', 'hex')],
])('%s is the wrong protocol', async (_name, greeting) => {
  await using peer = await startRawPeer((socket) => {
    socket.on('data', () => socket.end());
    socket.write(greeting);
  });
  expect((await failToOpen(peer.target(), fenced)).outcome).toBe('wrong protocol');
});

// Guarantee: the commonest mistake, a web server's port, is reported immediately.
test('HTTP is the wrong protocol', async () => {
  const server = createHttpServer((_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const target = { host: '127.0.0.1', port: address.port, password: new Secret(password) };
  expect((await failToOpen(target, fenced)).outcome).toBe('wrong protocol');
  await new Promise((resolve) => server.close(resolve));
});

// Guarantee: a password that would break the frame is never sent.
test.each(['line\nbreak', 'nul\0', 'x'.repeat(5000)])(
  'a password that cannot be sent',
  async (unsendable) => {
    await using peer = await startRconPeer();
    const failure = await failToOpen(peer.target(unsendable), quiet);
    expect(failure.outcome).toBe('authentication failed');
    expect(failure.detail).not.toContain(unsendable);
    expect(peer.sockets).toEqual([]);
  },
);

// Guarantee: connecting can be cancelled at each stage, and leaves no connection behind.
test.each(['before', 'during the login'])('cancelled %s', async (stage) => {
  const cancel = new AbortController();
  if (stage === 'before') cancel.abort();
  await using peer = await startRconPeer({ onLogin: () => cancel.abort() });
  const failure = await failToOpen(peer.target(), quiet, { ...patient, signal: cancel.signal });
  expect(failure.outcome).toBe('cancelled');
  await eventually(() => expect(peer.sockets.every(({ readyState }) => readyState === 'closed')).toBe(true));
  expect(peer.sockets.length).toBe(stage === 'before' ? 0 : 1);
});

const whileRunning = async (write: (request: RconRequest) => void, timeoutMs = 20_000) => {
  await using peer = await startRconPeer({ onRequest: write });
  using connection = await open(peer.target(), { ...quiet, quietMs: 2000 });
  const results = await Promise.all([
    connection.run('one', { timeoutMs }),
    connection.run('two', { timeoutMs }),
  ]);
  await connection.ended;
  return results;
};

/** Writes for as long as the other side reads. */
const flood =
  (bytes: Buffer) =>
  ({ socket }: RconRequest) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(bytes));
    };
    socket.on('drain', pour);
    pour();
  };

// Guarantee: garbage instead of an answer ends the connection, and the command never counts as unsent.
test.each(['fcffffff', '00000000', 'ffffff7f', '48545450'])('garbage after the login: %s', async (hex) => {
  expect(await whileRunning(({ socket }) => void socket.write(Buffer.from(hex, 'hex')))).toMatchObject([
    { outcome: 'wrong protocol', sent: true, reply: null },
    { outcome: 'wrong protocol', sent: false, reply: null },
  ]);
});

// Guarantee: an endless reply is cut off, stored up to the usual limit, and the following commands are not sent.
test('a reply without end', async () => {
  const results = await whileRunning((request) => flood(rconFrame(request.id, 0, 'ä'.repeat(2000)))(request));
  expect(results).toMatchObject([
    { outcome: 'answered', truncated: true, reply: 'ä'.repeat(65_536) },
    { outcome: 'connection lost', sent: false },
  ]);
});

// Guarantee: a series of frames without a body, or with unknown ids, does not continue for ever either.
test('empty frames without end', async () => {
  const [first] = await whileRunning((request) =>
    flood(Buffer.concat(Array.from({ length: 500 }, () => rconFrame(request.id, 0, ''))))(request),
  );
  expect(first).toMatchObject({ outcome: 'answered', reply: '' });
});
test('frames of others without end', async () => {
  const [first] = await whileRunning(
    (request) => flood(rconFrame(77_777, 0, 'x'.repeat(4000)))(request),
    500,
  );
  expect(first).toMatchObject({ outcome: 'timeout', sent: true });
});

// Guarantee: the first 65,536 characters of a long reply are kept, without half a character at the end.
test('a reply of more than is kept', async () => {
  const dragons = '🐉'.repeat(20_000);
  await using peer = await startRconPeer({ onRequest: ({ reply }) => reply(`x${dragons}`, dragons, '') });
  using connection = await open(peer.target(), quiet);
  const { reply, truncated } = await connection.run('big', runPatiently);
  expect(truncated).toBe(true);
  expect(reply).toHaveLength(65_536);
  expect(reply?.isWellFormed()).toBe(true);
});

// Guarantee: no reply contains a NUL, which no database accepts.
test('a NUL in a reply', async () => {
  await using peer = await startRconPeer({ onRequest: ({ reply }) => reply('a\0b') });
  using connection = await open(peer.target(), quiet);
  expect(await connection.run('list', runPatiently)).toMatchObject({ reply: 'a\u{fffd}b' });
});

/** Placeholder in a frame, replaced by the id that the client has chosen. */
const commandId = 99;
const isForCommand = (piece: Buffer) => piece.length >= 14 && piece.readInt32LE(4) === commandId;
const withId = (piece: Buffer, id: number): Buffer => {
  if (!isForCommand(piece)) return piece;
  const frame = Buffer.from(piece);
  frame.writeInt32LE(id, 4);
  return frame;
};

/** Bytes that resemble frames closely enough to pass the first checks. */
const almostFrames = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(
        fc.integer({ min: -2, max: 5 }),
        fc.constantFrom(0, 1, commandId, -1),
        fc.string({ maxLength: 30 }),
      )
      .map(([id, type, body]) => rconFrame(id, type, body)),
    fc.integer({ min: -20, max: 200_000 }).map((length) => {
      const head = Buffer.alloc(12);
      head.writeInt32LE(length);
      return head;
    }),
  ),
  { maxLength: 6 },
);

// Guarantee: whatever the server answers, connecting ends, and without a true login answer it fails.
test('600 hostile logins', async () => {
  let inputs = 0;
  let pieces: readonly Buffer[] = [];
  await using peer = await startRawPeer((socket) => {
    socket.once('data', () => void writePieces(socket, pieces).then(() => socket.end()));
  });
  await fc.assert(
    fc.asyncProperty(almostFrames, async (chosen) => {
      inputs += 1;
      pieces = chosen;
      const { outcome } = await failToOpen(peer.target(), inputs % 2 ? quiet : fenced);
      expect(['authentication failed', 'wrong protocol', 'connection lost']).toContain(outcome);
    }),
    { numRuns: 600 },
  );
  expect(inputs).toBe(600);
});

// Guarantee: whatever the server answers to a command, the command settles as sent, and a silent end is not an answer.
test('600 hostile answers', async () => {
  let inputs = 0;
  let pieces: readonly Buffer[] = [];
  await using peer = await startRconPeer({
    onRequest: ({ id, socket }) =>
      void writePieces(
        socket,
        pieces.map((piece) => withId(piece, id)),
      ).then(() => socket.end()),
  });
  await fc.assert(
    fc.asyncProperty(almostFrames, async (chosen) => {
      inputs += 1;
      pieces = chosen;
      const dialect = inputs % 2 ? quiet : fenced;
      const opened = await sourceRcon(dialect)(peer.target(), patient);
      if ('failure' in opened) throw new Error(opened.failure.detail);
      const [first, second] = await Promise.all([
        opened.connection.run('give Steve iron 1', runPatiently),
        opened.connection.run('give Alex iron 1', runPatiently),
      ]);
      opened.connection[Symbol.dispose]();
      expect(first.sent).toBe(true);
      expect(['answered', 'wrong protocol', 'connection lost']).toContain(first.outcome);
      expect(['answered', 'wrong protocol', 'connection lost']).toContain(second.outcome);
      if (first.outcome === 'answered') expect(chosen.some(isForCommand)).toBe(true);
    }),
    { numRuns: 600 },
  );
  expect(inputs).toBe(600);
});
