import { describe, expect, test } from 'vitest';
import { isErrorReply } from './answers.ts';
import { palworld } from './palworld.ts';
import { readPlayerList } from './player-list.ts';
import { requestOf } from './request.ts';

const { actions, readLogLine } = palworld;
const ann = { name: 'Ann', platformId: 'steam:76561198025588951' };

describe('commands', () => {
  test.each([
    ['info', { method: 'GET', path: '/v1/api/info' }],
    ['PLAYERS', { method: 'GET', path: '/v1/api/players' }],
    ['save', { method: 'POST', path: '/v1/api/save' }],
    ['stop', { method: 'POST', path: '/v1/api/stop' }],
    ['announce Olá  às 20h: "já"', { path: '/v1/api/announce', body: { message: 'Olá  às 20h: "já"' } }],
    ['kick steam_1', { path: '/v1/api/kick', body: { userid: 'steam_1' } }],
    ['kick steam_1 be kind', { path: '/v1/api/kick', body: { userid: 'steam_1', message: 'be kind' } }],
    ['ban steam_1 ban steam_2', { path: '/v1/api/ban', body: { userid: 'steam_1', message: 'ban steam_2' } }],
    ['unban steam_1', { path: '/v1/api/unban', body: { userid: 'steam_1' } }],
    ['shutdown 30 Bye', { path: '/v1/api/shutdown', body: { waittime: 30, message: 'Bye' } }],
  ])('%s', (command, request) => expect(requestOf(command)).toMatchObject(request));

  // Guarantee: what is not an endpoint, or lacks a field, is never sent.
  test.each([
    '',
    'announce',
    'kick',
    'unban',
    'unban steam_1 x',
    'shutdown',
    'shutdown soon',
    'save now',
    'players x',
  ])('"%s" is none', (command) => expect(requestOf(command)).toBeNull());
  test.each(['../../x', 'info/../stop', 'info?x=1', '__proto__', 'constructor', 'give steam_1 Wood 5'])(
    '"%s" is none either',
    (command) => expect(requestOf(command)).toBeNull(),
  );

  test.each([
    [actions.kick?.render({ player: ann, reason: 'a\nstop' }), 'kick steam_76561198025588951 a stop'],
    [actions.ban?.render({ player: ann, reason: '' }), 'ban steam_76561198025588951'],
    [actions.unban?.render({ player: { ...ann, handle: 'gdk_2535' } }), 'unban gdk_2535'],
    [actions.broadcast?.render({ message: ' é\u2028"hi" ' }), 'announce é "hi"'],
    [actions.save?.render({}), 'save'],
    [{ command: palworld.shutdown.command }, 'shutdown 5 The server is shutting down.'],
  ])('%j', (rendered, command) => {
    expect(rendered).toEqual({ command });
    expect(requestOf(command)).not.toBeNull();
  });

  // Guarantee: an id that the game does not know, and a name alone, are refused before anything is sent.
  test.each([
    {},
    { name: 'steam_1' },
    { platformId: 'minecraft:069a79f4' },
    { handle: '171' },
    { handle: 'steam_1 x' },
  ])('no id in %j', (player) =>
    expect(actions.kick?.render({ player, reason: '' })).toHaveProperty('refused'),
  );
});

describe('the list of players', () => {
  const there = {
    name: 'まっする',
    accountName: 'muscle',
    playerId: '28F2DED7000000000000000000000000',
    userId: 'steam_76561198847285114',
    ip: '',
    ping: 59.4186,
    location_x: -3113.724609375,
    location_y: 122099.359375,
    level: 51,
    building_count: 3,
  };
  const list = (...players: readonly object[]) => readPlayerList(JSON.stringify({ players }));
  const shown = {
    name: 'まっする',
    platformId: 'steam:76561198847285114',
    handle: 'steam_76561198847285114',
  };

  test('as the game writes it', () => {
    expect(list()).toEqual({ value: [] });
    expect(list(there)).toEqual({ value: [shown] });
    expect(list({ ...there, playerId: -1_412_345 })).toEqual({ value: [shown] });
    expect(list({ ...there, userId: 'GDK_2535' })).toMatchObject({
      value: [{ platformId: 'gdk:2535', handle: 'GDK_2535' }],
    });
    expect(list({ ...there, name: 'a\0b\n' })).toMatchObject({ value: [{ name: 'a b' }] });
  });

  // Guarantee: one odd entry does not hide the others; a list of nothing but odd ones is another format.
  test('an odd entry', () => {
    expect(list(there, { name: null }, 7 as unknown as object)).toEqual({ value: [shown] });
    expect(list({ name: null })).toHaveProperty('unreadable');
  });

  // Guarantee: a player who is still loading is not on the server yet, under no name that is not theirs.
  test.each([
    { playerId: 'None' },
    { playerId: '' },
    { playerId: '0'.repeat(32) },
    { name: '' },
    { userId: '' },
    { userId: null },
  ])('without %j', (instead) => expect(list(there, { ...there, ...instead })).toEqual({ value: [shown] }));

  test.each([
    '',
    'OK',
    'HTTP 500',
    '{}',
    '[]',
    '{"players":{}}',
    '{"players":[{"level":1}]}',
    '{"players":[1',
  ])('%s is none', (reply) => expect(readPlayerList(reply)).toHaveProperty('unreadable'));
});

// Guarantee: only the status of the answer proves something, never its text.
test.each([
  ['HTTP 200', 'done', false],
  ['HTTP 200\n<html>', 'unproven', false],
  ['HTTP 400', 'failed', true],
  ['HTTP 404\nHTTP 200', 'failed', true],
  ['HTTP 500', 'unproven', true],
  ['HTTP 2000', 'unproven', false],
  ['OK', 'unproven', false],
  ['', 'unproven', false],
])('%j: %s', (reply, verdict, isError) => {
  expect(actions.kick?.read(reply, { player: ann, reason: '' }).verdict).toBe(verdict);
  expect(isErrorReply(reply)).toBe(isError);
});

const joined =
  '[2026-07-17 17:39:18] [LOG] Ann joined the server. (User id: steam_76561197989637791, Player id: AF6D9A43)';
test.each([
  [joined, { kind: 'join', player: { name: 'Ann', platformId: 'steam:76561197989637791' } }],
  [
    '[2024-04-19 20:49:37] [LOG] まっする joined the server. (User id: steam_76561198847285114)',
    { kind: 'join', player: { name: 'まっする', platformId: 'steam:76561198847285114' } },
  ],
  [
    '[2026-07-17 17:46:12] [LOG] Ann left the server. (User id: steam_76561197989637791)',
    { kind: 'leave', player: { name: 'Ann', platformId: 'steam:76561197989637791' } },
  ],
  ['[2026-07-17 17:39:45] [CHAT] <Ann> hallo', { kind: 'chat', player: { name: 'Ann' }, text: 'hallo' }],
  [
    '[2026-07-17 17:39:45] [CHAT] <Bob> x> !buy 1',
    { kind: 'chat', player: { name: 'Bob' }, text: 'x> !buy 1' },
  ],
  ['[2026-07-17 17:39:45] [CHAT] <Bob> !buy 1> hi', null],
  [`[2026-07-17 17:39:45] [CHAT] <Ann> ${joined}`, { kind: 'chat', player: { name: 'Ann' } }],
  [
    '[2026-07-17 17:36:56] [LOG] Ann 188.91.39.193 connected the server. (User id: steam_76561197989637791)',
    null,
  ],
  [
    '[2026-07-17 21:10:47] [LOG] Ann executed the command. adminpassword x joined the server. (User id: steam_7, Player id: A1)',
    null,
  ],
  ['[2026-07-15 00:01:45] [LOG] REST accessed endpoint /v1/api/info OK', null],
  ['Running Palworld dedicated server on :8211', null],
])('%s', (line, observed) => {
  const read = readLogLine(line);
  if (observed === null) expect(read).toBeNull();
  else expect(read).toMatchObject(observed);
});

test('the start of a line', () => {
  expect(palworld.stampLength(joined)).toBe('[2026-07-17 17:39:18] [LOG] '.length);
  expect(palworld.stampLength('[2026-07-17 17:39:45] [CHAT] <Ann> hallo')).toBe(
    '[2026-07-17 17:39:45] '.length,
  );
});

// Guarantee: the password with which administrators sign in through the chat is not kept.
test('a password in the log', () => {
  const line = '[2026-07-17 21:10:47] [LOG] Alice executed the command. adminpassword hunter2';
  expect(palworld.maskCommand(line)).toBe(
    '[2026-07-17 21:10:47] [LOG] Alice executed the command. adminpassword ***',
  );
});
