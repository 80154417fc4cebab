import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { wakeByHand } from '#harness/woken.ts';
import { Secret } from '#runtime/secret.ts';
import { sourceRcon } from '../source-rcon/source-rcon.ts';
import { quiet, runPatiently } from '../source-rcon/testing/rcon-client.ts';
import {
  type RconPeer,
  type RconRequest,
  rconFrame,
  startRconPeer,
} from '../source-rcon/testing/rcon-peer.ts';
import { createGameLink } from './game-link.ts';
import type { LinkState } from './reconnecting-console.ts';

const game: Parameters<typeof createGameLink>[0]['game'] = {
  connect: sourceRcon(quiet),
  listPlayers: { command: 'ListPlayers', read: () => ({ value: [] }) },
};
const never = 1e9;
const loginReply = (id: number) => rconFrame(id, 2, '');
const soon = { retryDelayMs: () => 20, leastGapMs: 0 };

const linkTo = (peer: RconPeer, options: Partial<Parameters<typeof createGameLink>[0]> = {}) =>
  createGameLink({ game, target: peer.target(), keepOpen: false, ...options });
const isClosed = (peer: RconPeer) => peer.sockets.every(({ readyState }) => readyState === 'closed');

// Guarantee: the first command opens the connection, all share it in order, and only after the game has answered.
test('one connection for all commands', async () => {
  await using peer = await startRconPeer();
  await using link = linkTo(peer);
  expect(link.state()).toMatchObject({ status: 'idle', failure: null, nextTryAt: null });
  const commands = ['one', 'two', 'three', 'four'];
  const results = await Promise.all(commands.map((command) => link.run(command, runPatiently)));
  expect(results.map(({ reply }) => reply)).toEqual(commands.map((command) => `did ${command}`));
  expect(peer.commands).toEqual(['ListPlayers', ...commands]);
  expect(peer.sockets).toHaveLength(1);
  expect(link.state().status).toBe('ready');
});

// Guarantee: a connection that is no longer needed is closed, and opened again for the next command.
test('an idle connection', async () => {
  await using peer = await startRconPeer();
  await using link = linkTo(peer, { timing: { idleMs: 30 } });
  await link.run('one', runPatiently);
  await eventually(() => expect(link.state()).toMatchObject({ status: 'idle', failure: null }));
  await eventually(() => expect(isClosed(peer)).toBe(true));
  expect(await link.run('two', runPatiently)).toMatchObject({ outcome: 'answered', reply: 'did two' });
  expect(peer.sockets).toHaveLength(2);
});

// Guarantee: a link with `keepOpen` connects without being asked, and again whenever the connection is lost.
test('kept open', async () => {
  const states: LinkState['status'][] = [];
  await using peer = await startRconPeer();
  await using link = linkTo(peer, {
    keepOpen: true,
    timing: { ...soon, idleMs: 1 },
    onState: ({ status }) => void states.push(status),
  });
  await eventually(() => expect(link.state().status).toBe('ready'));
  peer.sockets[0]?.destroy();
  await eventually(() => expect(states).toEqual(['connecting', 'ready', 'waiting', 'connecting', 'ready']));
  expect(peer.sockets).toHaveLength(2);
});

// Guarantee: while a server is down, all commands together cost a single try, and say when the next one is.
test('nothing listens', async () => {
  const peer = await startRconPeer();
  await peer[Symbol.asyncDispose]();
  const states: LinkState[] = [];
  await using link = linkTo(peer, {
    keepOpen: true,
    timing: { retryDelayMs: () => 50_000, leastGapMs: never },
    onState: (state) => void states.push(state),
  });
  const refused = { outcome: 'connection refused', sent: false, reply: null };
  const results = await Promise.all([link.run('one', runPatiently), link.run('two', runPatiently)]);
  expect(results).toMatchObject([refused, refused]);
  expect(link.state()).toMatchObject({ status: 'waiting', failure: { outcome: 'connection refused' } });
  expect(link.state().nextTryAt?.getTime()).toBeGreaterThan(Date.now() + 10_000);
  expect(await link.run('three', runPatiently)).toMatchObject(refused);
  expect(states.map(({ status }) => status)).toEqual(['connecting', 'waiting']);
});

// Guarantee: a command need not wait for the next try if the last one is long enough ago.
test('a command during the back-off', async () => {
  let isUp = false;
  await using peer = await startRconPeer({
    onLogin: ({ id, socket }) => void (isUp ? socket.write(loginReply(id)) : socket.resetAndDestroy()),
  });
  await using link = linkTo(peer, { keepOpen: true, timing: { retryDelayMs: () => never, leastGapMs: 0 } });
  await eventually(() => expect(link.state().status).toBe('waiting'));
  isUp = true;
  expect(await link.run('one', runPatiently)).toMatchObject({ outcome: 'answered', reply: 'did one' });
  expect(link.state()).toMatchObject({ status: 'ready', failure: null, nextTryAt: null });
});

// Guarantee: a refused password is not tried again before its time, however many commands are given.
test.each([true, false])('a wrong password, kept open: %s', async (keepOpen) => {
  await using peer = await startRconPeer({ password: 'another' });
  await using link = linkTo(peer, { keepOpen, timing: { leastGapMs: 0 } });
  for (let times = 0; times < 5; times += 1)
    expect(await link.run('one', runPatiently)).toMatchObject({
      outcome: 'authentication failed',
      sent: false,
    });
  expect(peer.sockets).toHaveLength(1);
  expect(link.state()).toMatchObject({
    status: keepOpen ? 'waiting' : 'idle',
    failure: { outcome: 'authentication failed' },
  });
  expect(JSON.stringify(link.state())).not.toContain('correct horse');
});

// Guarantee: a session that the game ignores because it was opened too early is opened again until the game answers.
test('a game that is still starting', async () => {
  let sessions = 0;
  await using peer = await startRconPeer({
    onLogin({ id, socket }) {
      sessions += 1;
      socket.write(loginReply(id));
    },
    onRequest: ({ body, reply }) => sessions >= 3 && reply(`did ${body}`),
  });
  const failures = new Set<string | undefined>();
  await using link = linkTo(peer, {
    keepOpen: true,
    timing: { ...soon, probeTimeoutMs: 50 },
    onState: ({ failure }) => void failures.add(failure?.outcome),
  });
  await eventually(() => expect(link.state().status).toBe('ready'));
  expect([...failures]).toEqual([undefined, 'not ready']);
  expect(await link.run('SaveWorld', runPatiently)).toMatchObject({ outcome: 'answered' });
});

// Guarantee: a command that was sent is never sent again; those behind it use the next connection.
test.each<[string, (request: RconRequest) => void]>([
  ['connection lost', ({ socket }) => void socket.destroy()],
  ['wrong protocol', ({ socket }) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
])('%s under a command', async (outcome, end) => {
  await using peer = await startRconPeer({
    onRequest: (request) => (request.body === 'give' ? end(request) : request.reply(`did ${request.body}`)),
  });
  await using link = linkTo(peer, { timing: soon });
  const results = await Promise.all(['before', 'give', 'after'].map((each) => link.run(each, runPatiently)));
  expect(results).toMatchObject([
    { outcome: 'answered' },
    { outcome, sent: true, reply: null },
    { outcome: 'answered', reply: 'did after' },
  ]);
  expect(peer.commands.filter((command) => command === 'give')).toHaveLength(1);
  expect(peer.sockets).toHaveLength(2);
});

// Guarantee: a command waits no longer than it was told, says what it waited for, and is then never sent.
test('the wait for a connection', async () => {
  let answer: (() => void) | null = null;
  await using peer = await startRconPeer({
    onRequest: ({ body, reply }) => {
      if (body === 'ListPlayers') answer = () => reply('No Players Connected');
      else reply(`did ${body}`);
    },
  });
  await using link = linkTo(peer);
  const patiently = link.run('patient', runPatiently);
  await eventually(() => expect(answer).not.toBeNull());
  expect(await link.run('brief', { timeoutMs: 30 })).toMatchObject({ outcome: 'not ready', sent: false });
  const cancel = new AbortController();
  const cancelled = link.run('cancelled', { ...runPatiently, signal: cancel.signal });
  cancel.abort();
  expect(await cancelled).toMatchObject({ outcome: 'cancelled', sent: false });
  (answer as (() => void) | null)?.();
  expect(await patiently).toMatchObject({ outcome: 'answered' });
  expect(peer.commands).toEqual(['ListPlayers', 'patient']);
});
test('a login without an answer', async () => {
  await using peer = await startRconPeer({ onLogin: () => undefined });
  await using link = linkTo(peer);
  expect(await link.run('brief', { timeoutMs: 30 })).toMatchObject({ outcome: 'timeout', sent: false });
});

// Guarantee: closing settles every command, and leaves no connection and no timer that opens one.
test('closing', async () => {
  await using peer = await startRconPeer({
    onRequest: ({ body, reply }) => body === 'ListPlayers' && reply('No Players Connected'),
  });
  const link = linkTo(peer, { keepOpen: true, timing: soon });
  const running = ['one', 'two'].map((command) => link.run(command, runPatiently));
  await eventually(() => expect(peer.commands).toContain('one'));
  await Promise.all([link.close(), link.close()]);
  expect(await Promise.all(running)).toMatchObject([
    { outcome: 'connection lost', sent: true },
    { outcome: 'cancelled', sent: false },
  ]);
  expect(await link.run('three', runPatiently)).toMatchObject({ outcome: 'cancelled', sent: false });
  expect(link.state().status).toBe('idle');
  await eventually(() => expect(isClosed(peer)).toBe(true));
  expect(peer.sockets).toHaveLength(1);
});

// Guarantee: closing in the middle of a login or of the first question ends it.
test.each(['login', 'probe'])('closing during the %s', async (stage) => {
  let hasBegun = false;
  await using peer = await startRconPeer({
    onLogin({ id, socket }) {
      if (stage === 'probe') socket.write(loginReply(id));
      else hasBegun = true;
    },
    onRequest: () => {
      hasBegun = true;
    },
  });
  const link = linkTo(peer, { keepOpen: true });
  const waiting = link.run('one', runPatiently);
  await eventually(() => expect(hasBegun).toBe(true));
  await link.close();
  expect(await waiting).toMatchObject({ outcome: 'cancelled', sent: false });
  await eventually(() => expect(isClosed(peer)).toBe(true));
});

// Guarantee: a closed link that was waiting for its next try does not keep its program from exiting.
test('closing during the back-off', async () => {
  const peer = await startRconPeer();
  await peer[Symbol.asyncDispose]();
  const link = linkTo(peer, { keepOpen: true, timing: { retryDelayMs: () => never } });
  await eventually(() => expect(link.state().status).toBe('waiting'));
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await link.close();
  expect(timers()).toBe(before - 1);
});

// Guarantee: after a sleep, an unreachable console is tried immediately, and one that has refused the password is not.
test('the machine slept', async () => {
  const wakes = wakeByHand();
  const peer = await startRconPeer();
  const target = peer.target();
  await peer[Symbol.asyncDispose]();
  const tries: string[] = [];
  await using _link = createGameLink({
    game,
    target,
    keepOpen: true,
    wakes,
    timing: { ...soon, retryDelayMs: () => never },
    onState: ({ status }) => void tries.push(status),
  });
  await eventually(() => expect(tries).toEqual(['connecting', 'waiting']));
  wakes.wake(60_000);
  await eventually(() => expect(tries).toEqual(['connecting', 'waiting', 'connecting', 'waiting']));

  await using refusing = await startRconPeer();
  await using refused = linkTo(refusing, {
    target: { ...refusing.target(), password: new Secret('wrong') },
    keepOpen: true,
    wakes,
    timing: { ...soon, retryDelayMs: () => never },
  });
  await eventually(() => expect(refused.state().failure?.outcome).toBe('authentication failed'));
  const since = refused.state();
  wakes.wake(60_000);
  expect(refused.state()).toBe(since);
});
