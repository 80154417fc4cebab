import { expect, test } from 'vitest';
import { type GameId, gameIds } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import { arkAscended, arkEvolved } from './ark/ark.ts';
import { checkConsole } from './console-check.ts';
import { sourceRcon } from './source-rcon/source-rcon.ts';
import { quiet } from './source-rcon/testing/rcon-client.ts';
import { startRconPeer } from './source-rcon/testing/rcon-peer.ts';
import { startRawPeer } from './wire/testing/raw-peer.ts';

const gameOf = (id: GameId) => ({
  id,
  connect: sourceRcon(quiet),
  listPlayers: {
    command: 'ListPlayers',
    read: (reply: string) =>
      reply === 'two'
        ? { value: ['a', 'b'].map((name) => ({ name, platformId: null, handle: name })) }
        : { unreadable: reply },
  },
});
const game = gameOf('ark-se');

// Guarantee: a console that answers is reported as such, with the number of players if that can be read, and is left alone afterwards.
test.each([
  ['two', 2],
  ['something else', null],
])('it answers "%s"', async (said, players) => {
  await using peer = await startRconPeer({ onRequest: ({ reply }) => reply(said) });
  const check = await checkConsole({ game, target: peer.target() });
  expect(check).toEqual({ outcome: 'answered', players, latencyMs: expect.any(Number) });
  expect(peer.commands).toEqual(['ListPlayers']);
  await eventually(() => expect(peer.sockets[0]?.readyState).toBe('closed'));
});

// Guarantee: a server whose plug-in replaces the game's own list is asked with the list's other name.
test.each([
  ['two', 2],
  ['gibberish', null],
])('its list under another name says "%s"', async (said, players) => {
  await using peer = await startRconPeer({
    onRequest: ({ body, reply }) => reply(body === 'game:ListPlayers' ? said : 'of the plug-in'),
  });
  const listPlayers = { ...game.listPlayers, alternative: 'game:ListPlayers' };
  const check = await checkConsole({ game: { ...game, listPlayers }, target: peer.target() });
  expect(check).toMatchObject({ outcome: 'answered', players });
  expect(peer.commands).toEqual(['ListPlayers', 'game:ListPlayers']);
  await eventually(() => expect(peer.sockets[0]?.readyState).toBe('closed'));
});

// Guarantee: ARK Ascended gets the 15 s that its first answer may take; for other games the check waits no longer than told.
test.each([
  [arkAscended, { outcome: 'answered', players: 0 }],
  [arkEvolved, { outcome: 'not ready' }],
])('a slow first answer: $id', async (slow, expected) => {
  await using peer = await startRconPeer({
    onRequest: ({ reply }) => void setTimeout(() => reply('No Players Connected'), 600),
  });
  expect(await checkConsole({ game: slow, target: peer.target(), timeoutMs: 300 })).toMatchObject(expected);
});

// Guarantee: any fault is explained in plain words with what to check, and never with the password.
test.each(gameIds)('what is wrong with %s', async (id) => {
  await using wrongPassword = await startRconPeer({ password: 'another' });
  await using notReady = await startRconPeer({ onRequest: () => undefined });
  await using web = await startRawPeer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const gone = await startRawPeer(() => undefined);
  await gone[Symbol.asyncDispose]();
  const check = (peer: { target(): Parameters<typeof checkConsole>[0]['target'] }, timeoutMs?: number) =>
    checkConsole({ game: gameOf(id), target: peer.target(), timeoutMs });
  const checks = {
    refused: await check(gone),
    password: await check(wrongPassword),
    web: await check(web),
    early: await check(notReady, 1000),
  };
  expect(checks).toMatchObject({
    refused: {
      outcome: 'connection refused',
      detail: expect.stringMatching(/Nothing listens on .* turned on/),
    },
    password: { outcome: 'authentication failed', detail: expect.stringMatching(/refused the password/) },
    web: { outcome: 'wrong protocol', detail: expect.stringMatching(/does not speak RCON/) },
    early: { outcome: 'not ready', detail: expect.stringMatching(/still be starting/) },
  });
  expect(JSON.stringify(checks)).not.toContain('correct horse');
});

// Guarantee: a check can be cancelled.
test('cancelled', async () => {
  const cancel = new AbortController();
  await using peer = await startRconPeer({ onRequest: () => cancel.abort() });
  expect(await checkConsole({ game, target: peer.target(), signal: cancel.signal })).toMatchObject({
    outcome: 'cancelled',
  });
});
