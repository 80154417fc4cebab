import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { Secret } from '#runtime/secret.ts';
import { startMinecraft } from '../../../tests/simulators/minecraft-simulator.ts';
import type { Simulator } from '../../../tests/simulators/simulator.ts';
import { type ConsolePool, createConsolePool } from './console-pool.ts';
import type { LinkableServer } from './pooled-console.ts';

let game: Awaited<ReturnType<typeof startMinecraft>>;
let owned: AsyncDisposableStack;
let asked: string[];
let links: ConsolePool;
let inUse: LinkableServer[];
const listeners = new Set<() => void>();
const agents = new Set<string>();
let licensed: boolean;

/** Replaces the secret box: a password sealed as `<key>:<password>` opens while the key is not `lost`. */
const openPassword = (_serverId: string, sealed: string) =>
  sealed.startsWith('lost:')
    ? { unreadable: 'The stored password is sealed with the key lost.' }
    : new Secret(sealed.slice(sealed.indexOf(':') + 1));

beforeEach(async () => {
  owned = new AsyncDisposableStack();
  game = owned.use(await startMinecraft());
  inUse = [];
  asked = [];
  agents.clear();
  listeners.clear();
  licensed = true;
  links = owned.use(
    createConsolePool({
      servers: {
        get: (id) => inUse.find((one) => one.id === id) ?? null,
        all: () => inUse,
        subscribe(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      openPassword,
      isAgentPresent(id) {
        asked.push(id);
        return agents.has(id);
      },
      mayConnect: () => licensed,
      onLine: () => undefined,
    }),
  );
});
afterEach(() => owned.disposeAsync());

const server = (more: Partial<LinkableServer> = {}): LinkableServer => ({
  id: 's',
  game: 'minecraft',
  host: '127.0.0.1',
  port: game.port,
  password: `key:${game.password}`,
  ...more,
});
const use = (...servers: LinkableServer[]) => {
  inUse = servers;
  for (const listener of listeners) listener();
};
const run = (command: string) => links.run('s', command, { timeoutMs: 10_000 });
const isReady = (simulator: Simulator = game) =>
  eventually(() => {
    expect(links.read('s')?.state.status).toBe('ready');
    expect(simulator.sessions).toBe(1);
  });

// Guarantee: a server with an address is connected automatically, replies, and its connection ends when it is archived.
test('a link follows its server', async () => {
  use(server());
  await isReady();
  expect(await run('save-all')).toMatchObject({ result: { outcome: 'answered' }, detail: null });
  expect(links.read('s')?.answeredAt).toBeInstanceOf(Date);
  game.world.join('Steve');
  expect(await links.listPlayers('s', { timeoutMs: 10_000 })).toMatchObject({ value: [{ name: 'Steve' }] });
  use();
  expect(links.has('s')).toBe(false);
  expect(await run('save-all')).toBeNull();
  expect(await links.listPlayers('s', { timeoutMs: 10_000 })).toEqual({ unanswered: null });
  await eventually(() => expect(game.sessions).toBe(0));
  use(server({ host: null }));
  expect(links.has('s')).toBe(false);
});

// Guarantee: when a server's address changes, the next command goes to the new one, and the running one still gets its reply.
test('a changed address', async () => {
  const other = owned.use(await startMinecraft({ password: 'of the other' }));
  use(server());
  await isReady();
  game.quirks.replyDelayMs = 500;
  const first = run('save-all');
  await eventually(() => expect(game.world.received).toContain('save-all'));
  use(server({ port: other.port, password: 'key:of the other' }));
  expect(await run('say hello')).toMatchObject({ result: { outcome: 'answered' } });
  expect(await first).toMatchObject({ result: { outcome: 'answered' } });
  expect(game.world.received).not.toContain('say hello');
  expect(other.world.received).toContain('say hello');
  await eventually(() => expect(game.sessions).toBe(0));
});

// Guarantee: resealing the same password cuts nothing off; neither does another name.
test('the same password under another key', async () => {
  use(server());
  await isReady();
  use(server({ password: `new-key:${game.password}` }));
  use(server({ password: `newer-key:${game.password}` }));
  expect(await run('save-all')).toMatchObject({ result: { outcome: 'answered' } });
  expect(game.accepted).toBe(1);
});

// Guarantee: while its agent is there, or the license is not valid, nothing is connected; afterwards it is again.
test('agents and the license', async () => {
  use(server());
  await isReady();
  agents.add('s');
  links.reconsider();
  await eventually(() => expect([links.has('s'), game.sessions]).toEqual([false, 0]));
  agents.clear();
  links.reconsider();
  await isReady();
  licensed = false;
  links.reconsider();
  await eventually(() => expect([links.has('s'), game.sessions]).toEqual([false, 0]));
  licensed = true;
  links.reconsider();
  await isReady();
});

// Guarantee: when an agent comes or goes, only its own server is checked, not thousands of others.
test('one agent among many servers', async () => {
  use(server(), ...['a', 'b', 'c'].map((id) => server({ id, host: null })), server({ id: 'd', port: 1 }));
  await isReady();
  agents.add('s');
  asked = [];
  links.reconsider('s');
  await eventually(() => expect([links.has('s'), game.sessions]).toEqual([false, 0]));
  expect(asked).toEqual(['s']);
  expect(links.has('d')).toBe(true);
});

// Guarantee: a password that cannot be opened or is wrong is reported in words, and none of them contains it.
test('passwords', async () => {
  use(server({ password: 'lost:whatever' }));
  expect(await run('list')).toEqual({
    result: { outcome: 'authentication failed', reply: null, truncated: false, sent: false, durationMs: 0 },
    detail: 'The stored password is sealed with the key lost.',
  });
  expect(game.accepted).toBe(0);
  use(server({ password: 'key:not the right one' }));
  const wrong = await run('list');
  expect(wrong).toMatchObject({ result: { outcome: 'authentication failed', sent: false } });
  expect(JSON.stringify([wrong, links.read('s')])).not.toContain('not the right one');
  use(server());
  expect(await run('list')).toMatchObject({ result: { outcome: 'answered' } });
});

// Guarantee: a hundred servers that are down delay neither the one that is up, nor the shutdown.
test('many servers that are down', async () => {
  const port = await freePort();
  const down = Array.from({ length: 100 }, (_, index) => server({ id: `down-${index}`, port }));
  use(server(), ...down);
  expect(await run('save-all')).toMatchObject({ result: { outcome: 'answered' } });
  await eventually(() => {
    for (const { id } of down) expect(links.read(id)?.state.failure?.outcome).toBe('connection refused');
  });
  expect(await links.run('down-1', 'list', { timeoutMs: 5000 })).toMatchObject({
    result: { outcome: 'connection refused', sent: false },
    detail: expect.stringContaining(String(port)),
  });
});

// Guarantee: a request for players waits for no game that could not be reached the last time.
test('players of a server that is down', async () => {
  await game.goOffline();
  use(server());
  await eventually(() => expect(links.read('s')?.state.failure?.outcome).toBe('connection refused'));
  game.quirks.accept = 'silence';
  await game.comeBack();
  await eventually(() => expect(links.read('s')?.state.status).toBe('connecting'));
  expect(await links.listPlayers('s', { timeoutMs: 600_000 })).toMatchObject({
    unanswered: { result: { outcome: 'connection refused', sent: false } },
  });
});

// Guarantee: shutdown waits for no game, not even for one that still owes a reply on its old address.
test('the end', async () => {
  use(server());
  await isReady();
  game.quirks.fateOf = (command) => (command.startsWith('say') ? 'silence' : 'answer');
  const asked = links.run('s', 'say hello', { timeoutMs: 600_000 });
  await eventually(() => expect(game.world.received).toContain('say hello'));
  use();
  await links[Symbol.asyncDispose]();
  expect(await asked).toMatchObject({ result: { outcome: 'connection lost', sent: true } });
  await eventually(() => expect(game.sessions).toBe(0));
});

// Guarantee: after the shutdown nothing connects any more, not even for an agent that leaves later.
test('an agent that leaves after the end', async () => {
  use(server());
  await isReady();
  await links[Symbol.asyncDispose]();
  links.reconsider('s');
  await nextTurn();
  expect(links.has('s')).toBe(false);
});
