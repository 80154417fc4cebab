import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ModerationAction, playersHttp } from '#contracts/people/players.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../server/kernel/testing/api-of-a-test.ts';
import { call, newServer } from '../../server/kernel/testing/call.ts';
import { testDesktopCredential as as } from '../../server/kernel/testing/test-api.ts';
import { type PalworldSimulator, startPalworld } from '../simulators/palworld-simulator.ts';

const patientMs = 30_000;
const running = apiForThisFile();
let game: PalworldSimulator;
let serverId: string;

beforeAll(async () => {
  game = await startPalworld();
  const { port, password } = game;
  const server = { name: 'Palpagos', game: 'palworld', host: '127.0.0.1', port, password } as const;
  serverId = await newServer(running().port, server);
});
afterAll(() => game[Symbol.asyncDispose]());

const stateIs = (state: string) =>
  eventually(async () => {
    const { json } = await call(running().port, gameServersHttp.read, { as, params: { id: serverId } });
    expect(json.status).toMatchObject({ state });
  }, patientMs);
const idOf = (name: string) =>
  eventually(async () => {
    const { json } = await call(running().port, playersHttp.online, { as });
    const { rows } = playersHttp.online.response.parse(json);
    const found = rows.flatMap(({ players }) => players ?? []).find((player) => player.name === name);
    if (!found) throw new Error(`${name} is not listed`);
    return found.playerId;
  }, patientMs);
const act = async (id: string, action: ModerationAction['action'], text = '') =>
  call(running().port, playersHttp.act, { as, params: { id }, body: { serverId, action, text } });
const run = async (command: string) => {
  const { json } = await call(running().port, consoleHttp.run, {
    as,
    body: { serverIds: [serverId], command },
  });
  return (json.entries as readonly unknown[])[0];
};

// Guarantee: a game whose console is a REST API is served like every other: status, players, announcements, kicks, bans, history.
test('a Palworld server', async () => {
  await stateIs('online');
  const ann = game.world.join('まっする');
  game.world.join('Bob');

  const announced = await call(running().port, playersHttp.broadcast, {
    as,
    params: { id: serverId },
    body: { text: 'Olá a todos ☕' },
  });
  expect(announced).toMatchObject({ status: 200, json: { verdict: 'done' } });
  expect(game.world.messages).toEqual([{ to: null, text: 'Olá a todos ☕' }]);

  const bob = await idOf('Bob');
  expect(await act(bob, 'message', 'hi')).toMatchObject({ json: { code: 'NO_SUCH_COMMAND' } });
  expect(await act(bob, 'whitelist-add')).toMatchObject({ json: { code: 'NO_SUCH_COMMAND' } });
  expect(await act(bob, 'kick', 'be kind')).toMatchObject({ status: 200, json: { verdict: 'done' } });
  expect(game.world.named('Bob')).toBeUndefined();

  const muscle = await idOf('まっする');
  expect((await act(muscle, 'ban', 'rude')).status).toBe(200);
  await eventually(() => expect([...game.world.bans]).toEqual([[ann.platformId, 'rude']]), patientMs);
  expect(game.world.players).toEqual([]);
  expect((await act(muscle, 'unban')).status).toBe(200);
  await eventually(() => expect([...game.world.bans]).toEqual([]), patientMs);

  expect(await run('save')).toMatchObject({ outcome: 'answered', reply: 'HTTP 200', via: 'direct' });
  expect(await run('dance')).toMatchObject({
    outcome: 'invalid command',
    reply: expect.stringContaining('not a command of this game'),
  });
  expect(await run('metrics')).toMatchObject({ reply: expect.stringContaining('"maxplayernum":32') });
});

// Guarantee: a game that is gone is noticed and found again, and no password is in what is said about it.
test('a restart', async () => {
  await game.goOffline();
  // A console without a lasting connection is found gone by the next question or command.
  expect(await run('save')).toMatchObject({ outcome: 'connection refused' });
  await eventually(async () => {
    const { json } = await call(running().port, gameServersHttp.read, { as, params: { id: serverId } });
    expect(json.status).not.toMatchObject({ state: 'online' });
    expect(JSON.stringify(json)).not.toContain(game.password);
  }, patientMs);
  await game.comeBack();
  await stateIs('online');
});
