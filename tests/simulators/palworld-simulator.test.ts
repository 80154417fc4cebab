import { expect, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { createGameLink } from '#games/link/game-link.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { type PalworldSimulator, startPalworld } from './palworld-simulator.ts';
import type { Fate } from './quirks.ts';

const { connect, listPlayers, actions, readLogLine } = gameOf('palworld');
const limits = { timeoutMs: 20_000 };

const open = async ({ port, password }: PalworldSimulator) => {
  const target = { host: '127.0.0.1', port, password: new Secret(password) };
  const opened = await connect(target, { connectTimeoutMs: limits.timeoutMs });
  if ('failure' in opened) throw new Error(opened.failure.detail);
  return opened.connection;
};

// Guarantee: the simulator answers as the real API does, seen without the product's client.
test('the wire', async () => {
  await using game = await startPalworld();
  game.world.join('Ann');
  const url = `http://127.0.0.1:${game.port}/v1/api`;
  const authorization = `Basic ${btoa(`admin:${game.password}`)}`;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/${path}`, { ...init, headers: { authorization, ...init.headers } });
  expect(await (await ask('players')).json()).toMatchObject({
    players: [{ name: 'Ann', userId: expect.stringMatching(/^steam_7656\d{13}$/), ping: 59.4186 }],
  });
  const announced = await ask('announce', { method: 'POST', body: '{"message":"Olá"}' });
  expect([announced.status, await announced.text()]).toEqual([200, 'OK']);
  expect(game.world.messages).toEqual([{ to: null, text: 'Olá' }]);
  expect((await ask('announce', { method: 'POST', body: '{' })).status).toBe(400);
  expect((await ask('announce')).status).toBe(404);
  expect((await ask('players', { headers: { authorization: 'Basic eA==' } })).status).toBe(401);
  expect((await fetch(`${url}/players`)).headers.get('www-authenticate')).toMatch(/^Basic /);
});

// Guarantee: the adapter understands the simulator, which was written independently of it, however its bytes arrive.
test.each([
  { fragmentation: 'none', chunkBytes: null, accepted: 'OK' },
  { fragmentation: 'bytes', chunkBytes: 7, accepted: '' },
  { fragmentation: 'random', chunkBytes: 100, accepted: 'OK' },
] as const)('whole conversation: %j', async (quirks) => {
  const loading = [{ name: 'account', playerId: 'None', userId: 'steam_76561198000000009' }];
  await using game = await startPalworld({ quirks: { ...quirks, loading } });
  const { world } = game;
  const [ann, bob] = [world.join('まっする'), world.join('Bob')];
  using connection = await open(game);
  const listed = async () =>
    listPlayers.read((await connection.run(listPlayers.command, limits)).reply ?? '');
  expect(await listed()).toMatchObject({
    value: [{ name: 'まっする', handle: ann.platformId }, { name: 'Bob' }],
  });

  const player = { platformId: ann.platformId.replace('_', ':') };
  const steps = [
    [actions.broadcast, { message: 'Olá "todos" ☕' }, 'done'],
    [actions.save, {}, 'done'],
    [actions.ban, { player, reason: 'rude words' }, 'done'],
    [actions.kick, { player, reason: '' }, 'failed'],
    [actions.kick, { player: { handle: bob.platformId }, reason: 'bye' }, 'done'],
    [actions.unban, { player }, 'done'],
    [actions.unban, { player }, 'unproven'],
  ] as const;
  for (const [forms, input, verdict] of steps) {
    const rendered = forms?.render(input as never) ?? { refused: '' };
    const { reply } = await connection.run('command' in rendered ? rendered.command : '', limits);
    expect(forms?.read(reply ?? '', input as never).verdict, JSON.stringify(rendered)).toBe(verdict);
  }
  expect(world.messages).toEqual([{ to: null, text: 'Olá "todos" ☕' }]);
  expect(world.saves).toBe(1);
  expect(await listed()).toEqual({ value: [] });
});

// Guarantee: the simulator fails as its quirks say, and what it carried out is in its world.
test.each<[Fate, string, number]>([
  ['die-before', 'connection lost', 0],
  ['die-after', 'connection lost', 1],
  ['cut', 'connection lost', 1],
  ['garbage', 'wrong protocol', 1],
  ['negative-length', 'wrong protocol', 1],
  ['silence', 'timeout', 1],
  ['ignore', 'timeout', 0],
  ['endless', 'answered', 1],
])('a save whose fate is %s', async (fate, outcome, saves) => {
  await using game = await startPalworld({
    quirks: { fateOf: (command) => (command === 'save' ? fate : 'answer') },
  });
  using connection = await open(game);
  const timeoutMs = outcome === 'timeout' ? 200 : limits.timeoutMs;
  expect(await connection.run('save', { timeoutMs })).toMatchObject({ outcome, sent: true });
  expect(game.world.saves).toBe(saves);
});

test.each([500, 503, 302])('an answer with status %d', async (status) => {
  await using game = await startPalworld({
    quirks: { statusOf: (command) => (command === 'save' ? status : null) },
  });
  using connection = await open(game);
  const { outcome } = await connection.run('save', limits);
  expect(outcome).toBe(status === 302 ? 'wrong protocol' : 'connection lost');
  expect(game.world.saves).toBe(0);
});

// Guarantee: the same port serves again after a restart, with a new password.
test('a restart', async () => {
  await using game = await startPalworld();
  const connection = await open(game);
  await game.goOffline();
  expect(await connection.run('save', limits)).toMatchObject({ outcome: 'connection lost', sent: false });
  await game.comeBack();
  using again = await open(game);
  expect(await again.run('save', limits)).toMatchObject({ outcome: 'answered', reply: 'HTTP 200' });
  game.quirks.refusePasswords = true;
  await expect(open(game)).rejects.toThrow(/refused the password/);
  await expect(startPalworld({ password: '' })).rejects.toThrow(/password/);
});

// Guarantee: the link that every console goes through finds the game again, sends nothing twice, and names no run of the game.
test('the link', async () => {
  await using game = await startPalworld();
  const { port, password, world } = game;
  const target = { host: '127.0.0.1', port, password: new Secret(password) };
  await using link = createGameLink({ game: gameOf('palworld'), target, keepOpen: false });
  const saved = await link.run('save', limits);
  expect(saved).toMatchObject({ outcome: 'answered', reply: 'HTTP 200', sent: true });
  expect(saved.connection).toBeUndefined();
  await game.goOffline();
  expect(await link.run('save', limits)).toMatchObject({ outcome: 'connection refused', sent: false });
  await game.comeBack();
  await eventually(async () => expect(await link.run('save', limits)).toMatchObject({ sent: true }));
  expect(world.saves).toBe(2);
});

test('its log and its end', async () => {
  await using game = await startPalworld();
  const { world, log } = game;
  world.join('Ann');
  world.chat('Ann', 'Bob joined the server.');
  world.leave('Ann');
  expect(log.lines.map((line) => readLogLine(line)).filter((line) => line !== null)).toMatchObject([
    { kind: 'join', player: { name: 'Ann' } },
    { kind: 'chat', player: { name: 'Ann' }, text: 'Bob joined the server.' },
    { kind: 'leave', player: { name: 'Ann' } },
  ]);
  using connection = await open(game);
  const ended = new Promise<void>((resolve) => {
    world.onShutdown = resolve;
  });
  expect(await connection.run('shutdown 0 Bye', limits)).toMatchObject({ reply: 'HTTP 200' });
  await ended;
  expect(world.messages).toEqual([{ to: null, text: 'Bye' }]);
});
