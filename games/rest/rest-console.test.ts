import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { longestReply } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import type { ConsoleTarget } from '../connection.ts';
import { startRawPeer } from '../wire/testing/raw-peer.ts';
import { restConsole } from './rest-console.ts';

const password = 'correct horse';
const patient = { timeoutMs: 20_000 };
const connect = restConsole({
  longestCommandBytes: 100,
  user: 'admin',
  login: { method: 'GET', path: '/info' },
  isWelcome: (object) => 'version' in object,
  requestOf: (command) =>
    command === 'list'
      ? { method: 'GET', path: '/list' }
      : command.startsWith('do ')
        ? { method: 'POST', path: '/do', body: { what: command.slice(3) } }
        : null,
});

const answer = (body: string, status = '200 OK') =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const welcome = answer('{"version":"v1"}');

interface Asked {
  readonly path: string;
  readonly head: string;
  readonly body: string;
  readonly socket: Socket;
}

/** Answers the login as usual, and everything else as the test wants. */
const startServer = async (onRequest: (asked: Asked) => void, onLogin?: (asked: Asked) => void) => {
  const asked: Asked[] = [];
  const peer = await startRawPeer((socket) => {
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
      const [head = '', body = ''] = received.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (!received.includes('\r\n\r\n') || Buffer.byteLength(body) < length) return;
      received = '';
      const request = { path: head.split(' ')[1] ?? '', head, body, socket };
      asked.push(request);
      if (request.path !== '/info') onRequest(request);
      else if (onLogin) onLogin(request);
      else socket.end(welcome);
    });
  });
  return Object.assign(peer, { asked });
};

const open = async (target: ConsoleTarget) => {
  const opened = await connect(target, { connectTimeoutMs: 20_000 });
  if ('failure' in opened) throw new Error(opened.failure.detail);
  return opened.connection;
};

test('a conversation', async () => {
  await using server = await startServer(({ path, body, socket }) =>
    socket.end(path === '/list' ? answer('{"players":[]}') : answer(body.includes('empty') ? '' : 'OK')),
  );
  using connection = await open(server.target());
  expect(await connection.run('list', patient)).toMatchObject({
    outcome: 'answered',
    reply: '{"players":[]}',
    sent: true,
  });
  expect(await connection.run('do é "x" \\', patient)).toMatchObject({
    outcome: 'answered',
    reply: 'HTTP 200',
  });
  expect(await connection.run('do empty', patient)).toMatchObject({ outcome: 'answered', reply: 'HTTP 200' });
  expect(server.asked.map(({ path, body }) => [path, body])).toEqual([
    ['/info', ''],
    ['/list', ''],
    ['/do', '{"what":"é \\"x\\" \\\\"}'],
    ['/do', '{"what":"empty"}'],
  ]);
  const [, , { head = '' } = {}] = server.asked;
  expect(head).toMatch(/^POST \/do HTTP\/1\.1\r\n/);
  expect(head).toContain(`authorization: Basic ${btoa(`admin:${password}`)}`);
  expect(head).toMatch(/content-type: application\/json/i);
});

// Guarantee: commands given at the same time reach the game one after the other.
test('one at a time', async () => {
  let open_ = 0;
  let most = 0;
  await using server = await startServer(({ socket }) => {
    open_ += 1;
    most = Math.max(most, open_);
    setTimeout(() => {
      open_ -= 1;
      socket.end(answer('OK'));
    }, 5);
  });
  using connection = await open(server.target());
  const results = await Promise.all(
    ['1', '2', '3', '4'].map((each) => connection.run(`do ${each}`, patient)),
  );
  expect(results.every(({ outcome }) => outcome === 'answered')).toBe(true);
  expect(server.asked.slice(1).map(({ body }) => JSON.parse(body).what)).toEqual(['1', '2', '3', '4']);
  expect(most).toBe(1);
});

// Guarantee: a login succeeds only with a JSON object and status 200, and no failure shows the password.
test.each<[string, (asked: Asked) => void, string]>([
  ['401', ({ socket }) => socket.end(answer('', '401 Unauthorized')), 'authentication failed'],
  ['403', ({ socket }) => socket.end(answer('no', '403 Forbidden')), 'authentication failed'],
  ['503', ({ socket }) => socket.end(answer('', '503 Busy')), 'connection lost'],
  ['404', ({ socket }) => socket.end(answer('', '404 Not Found')), 'wrong protocol'],
  ['a web page', ({ socket }) => socket.end(answer('<html></html>')), 'wrong protocol'],
  ['the object of another program', ({ socket }) => socket.end(answer('{"status":"ok"}')), 'wrong protocol'],
  ['half of an object', ({ socket }) => socket.end(answer('{"version":')), 'wrong protocol'],
  [
    'a redirect',
    ({ socket }) => socket.end(`HTTP/1.1 302 Found\r\nLocation: /list\r\nContent-Length: 0\r\n\r\n`),
    'wrong protocol',
  ],
  ['no HTTP', ({ socket }) => socket.end('Please enter password:\r\n'), 'wrong protocol'],
  [
    'an endless head',
    ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}`),
    'wrong protocol',
  ],
  [
    'a wrong length',
    ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\n{}'),
    'wrong protocol',
  ],
  [
    'a cut body',
    ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{'),
    'connection lost',
  ],
  ['an end', ({ socket }) => socket.end(), 'connection lost'],
  ['a reset', ({ socket }) => socket.resetAndDestroy(), 'connection lost'],
  ['a huge body', ({ socket }) => socket.end(answer(`{"a":"${'x'.repeat(5_000_000)}"}`)), 'wrong protocol'],
])('a login that is answered with %s', async (_name, onLogin, outcome) => {
  await using server = await startServer(() => undefined, onLogin);
  const opened = await connect(server.target(), { connectTimeoutMs: 20_000 });
  expect(opened).toMatchObject({ failure: { outcome, detail: expect.stringMatching(/\.$/) } });
  expect(JSON.stringify(opened)).not.toContain(password);
  expect(JSON.stringify(opened)).not.toContain(btoa(`admin:${password}`));
  expect(server.asked.map(({ path }) => path)).toEqual(['/info']);
});

test('no login', async () => {
  await using silent = await startServer(
    () => undefined,
    () => undefined,
  );
  expect(await connect(silent.target(), { connectTimeoutMs: 100 })).toMatchObject({
    failure: { outcome: 'timeout' },
  });
  const cancel = new AbortController();
  const connecting = connect(silent.target(), { connectTimeoutMs: 20_000, signal: cancel.signal });
  cancel.abort();
  expect(await connecting).toMatchObject({ failure: { outcome: 'cancelled' } });
  const gone = silent.target();
  await silent[Symbol.asyncDispose]();
  expect(await connect(gone, { connectTimeoutMs: 20_000 })).toMatchObject({
    failure: { outcome: 'connection refused' },
  });
});

// Guarantee: an address leads to the host that it names, or nowhere.
test.each(['', 'nowhere.invalid', 'user@127.0.0.1', '127.0.0.1/x', '127.0.0.1?', 'a b', '127.0.0.1#'])(
  'the host "%s"',
  async (host) => {
    await using server = await startServer(() => undefined);
    const target = { ...server.target(), host };
    const opened = await connect(target, { connectTimeoutMs: 20_000 });
    expect(opened).toMatchObject({ failure: { outcome: 'name not found' } });
    expect(server.asked).toEqual([]);
  },
);

test.each(['a\nb', 'x'.repeat(101)])('the password %j is not sent', async (unsendable) => {
  await using server = await startServer(() => undefined);
  const opened = await connect(
    { ...server.target(), password: new Secret(unsendable) },
    { connectTimeoutMs: 20_000 },
  );
  expect(opened).toMatchObject({ failure: { outcome: 'authentication failed' } });
  expect(server.asked).toEqual([]);
});

// Guarantee: what is not a command of the game is not sent, and the connection stays.
test.each(['', 'dance', 'do a\nb', `do ${'x'.repeat(100)}`])('%j is not sent', async (command) => {
  await using server = await startServer(({ socket }) => socket.end(answer('OK')));
  using connection = await open(server.target());
  expect(await connection.run(command, patient)).toMatchObject({ outcome: 'invalid command', sent: false });
  expect(server.asked).toHaveLength(1);
  expect(await connection.run('do it', patient)).toMatchObject({ outcome: 'answered' });
});

// Guarantee: an error of the game is its answer, and the connection stays.
test.each([
  ['400 Bad Request', 'no such player', 'HTTP 400\nno such player'],
  ['404 Not Found', ' OK\n', 'HTTP 404'],
])('%s', async (status, body, reply) => {
  await using server = await startServer(({ socket }) => socket.end(answer(body, status)));
  using connection = await open(server.target());
  expect(await connection.run('do it', patient)).toMatchObject({ outcome: 'answered', reply });
  expect(await connection.run('list', patient)).toMatchObject({ outcome: 'answered', reply });
});

// Guarantee: a command whose answer does not arrive ends the connection and everything behind it, and counts as sent.
test.each<[string, (asked: Asked) => void, string]>([
  ['an end', ({ socket }) => socket.end(), 'connection lost'],
  ['a reset', ({ socket }) => socket.resetAndDestroy(), 'connection lost'],
  ['half a head', ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nConte'), 'connection lost'],
  [
    'half a body',
    ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nOK'),
    'connection lost',
  ],
  [
    'half a chunk',
    ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nOK'),
    'connection lost',
  ],
  ['another protocol', ({ socket }) => socket.end('SSH-2.0-x\r\n'), 'wrong protocol'],
  [
    'a redirect',
    ({ socket }) => socket.end(answer('', '307 Elsewhere\r\nLocation: /list')),
    'wrong protocol',
  ],
])('%s', async (_name, onRequest, outcome) => {
  await using server = await startServer(onRequest);
  using connection = await open(server.target());
  const results = await Promise.all(['do it', 'list'].map((command) => connection.run(command, patient)));
  expect(results).toMatchObject([
    { outcome, sent: true, reply: null },
    { outcome, sent: false },
  ]);
  expect(await connection.ended).toMatch(/\.$/);
  expect(await connection.run('list', patient)).toMatchObject({ outcome, sent: false });
  expect(server.asked.map(({ path }) => path)).toEqual(['/info', '/do']);
});

// Guarantee: after a fault of the game, or of a proxy in front of a dead one, no one can tell what the command did, and the
// connection is not shown as alive.
test.each(['500 Internal Server Error', '502 Bad Gateway', '503 Service Unavailable'])(
  '%s',
  async (status) => {
    await using server = await startServer(({ socket }) => socket.end(answer('{"version":"v1"}', status)));
    using connection = await open(server.target());
    const result = await connection.run('do it', patient);
    expect(result).toMatchObject({ outcome: 'connection lost', sent: true, reply: null });
    expect(await connection.ended).toContain(status.slice(0, 3));
  },
);

// Guarantee: a command that a changed password kept from the game counts as not sent, and ends the connection.
test('a changed password', async () => {
  await using server = await startServer(({ socket }) => socket.end(answer('', '401 Unauthorized')));
  using connection = await open(server.target());
  expect(await connection.run('do it', patient)).toMatchObject({ outcome: 'connection lost', sent: false });
  expect(await connection.ended).toMatch(/refused the password/);
});

// Guarantee: a command for a game that does not run was not sent.
test('a game that is gone', async () => {
  const server = await startServer(() => undefined);
  using connection = await open(server.target());
  await server[Symbol.asyncDispose]();
  expect(await connection.run('do it', patient)).toMatchObject({ outcome: 'connection lost', sent: false });
  expect(await connection.ended).toMatch(/Nothing listens/);
});

// Guarantee: waiting ends at its limit or when it is cancelled, and the request with it.
test('silence', async () => {
  await using server = await startServer(() => undefined);
  const late = await open(server.target());
  expect(await late.run('do it', { timeoutMs: 50 })).toMatchObject({ outcome: 'timeout', sent: true });
  expect(await late.ended).toMatch(/in time/);
  const cancelled = await open(server.target());
  const cancel = new AbortController();
  const running = cancelled.run('do it', { ...patient, signal: cancel.signal });
  await eventually(() => expect(server.asked).toHaveLength(4));
  cancel.abort();
  expect(await running).toMatchObject({ outcome: 'cancelled', sent: true });
  const closed = await open(server.target());
  const last = closed.run('do it', patient);
  await eventually(() => expect(server.asked).toHaveLength(6));
  closed[Symbol.dispose]();
  expect(await last).toMatchObject({ outcome: 'connection lost', sent: true });
  await eventually(() => expect(server.sockets.every(({ closed: isClosed }) => isClosed)).toBe(true));
});

// Guarantee: an endless answer is cut, and so is a long one, for what is kept.
test('long answers', async () => {
  await using server = await startServer(({ path, socket }) => {
    if (path === '/list') return socket.end(answer('x'.repeat(longestReply + 1)));
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const more = () => {
      while (socket.writable && socket.write('e'.repeat(65_536)));
    };
    socket.on('drain', more);
    more();
    return undefined;
  });
  using connection = await open(server.target());
  expect(await connection.run('list', patient)).toMatchObject({
    outcome: 'answered',
    reply: 'x'.repeat(longestReply),
    truncated: true,
  });
  expect(await connection.run('do it', patient)).toMatchObject({ outcome: 'answered', truncated: true });
  expect(await connection.ended).toMatch(/did not end/);
});

// Guarantee: an answer that repeats the request's headers does not show the password.
test('an echo', async () => {
  await using server = await startServer(({ head, socket }) => socket.end(answer(head, '400 Bad Request')));
  using connection = await open(server.target());
  const { reply } = await connection.run('do it', patient);
  expect(reply).toContain('authorization: Basic ***');
  expect(reply).not.toContain(btoa(`admin:${password}`));
});
