import { expect, test } from 'vitest';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import {
  afterSaving,
  changeOf,
  creationOf,
  draftOf,
  goesElsewhere,
  newDraft,
  testOf,
  withChanges,
} from './server-draft.ts';

const base: GameServer = {
  id: 'server',
  clusterId: 'cluster',
  name: 'The Island',
  game: 'ark-asa',
  host: '10.0.0.1',
  port: 27020,
  hasPassword: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  archivedAt: null,
  version: 4,
  status: {
    state: 'online',
    detail: null,
    outcome: null,
    via: 'direct',
    since: null,
    answeredAt: null,
    players: 0,
    agentMode: null,
    shown: 'unknown',
    process: null,
  },
};
const draft = draftOf(base);

// Guarantee: a change sends what was changed and nothing else, so it undoes no one else's change.
test.each([
  [{}, {}],
  [{ name: 'Other' }, { name: 'Other' }],
  [{ reach: 'agent' }, { host: null }],
  [{ port: '' }, {}],
  [{ port: '27021' }, { port: 27021 }],
  [{ passwordChoice: 'none' }, { password: '' }],
  [{ passwordChoice: 'new', password: 'secret' }, { password: 'secret' }],
] as const)('%j sends %j', (typed, sent) => {
  const body = changeOf({ ...draft, ...typed }, base);
  expect(body).toEqual({ version: 4, ...sent });
  expect(gameServersHttp.change.body.safeParse(body).success).toBe(true);
});

// Guarantee: a stored password is only tried at its stored address; a typed one is tried anywhere, and nothing is tried without a host.
test('what a test sends', () => {
  expect(testOf(draft, base)).toEqual({ game: 'ark-asa', host: '10.0.0.1', port: 27020, serverId: 'server' });
  expect(testOf({ ...draft, passwordChoice: 'new', password: 'x' }, base)).toMatchObject({ password: 'x' });
  expect(testOf({ ...draft, reach: 'agent' }, base)).toBeNull();
  expect(goesElsewhere({ ...draft, host: '10.0.0.2' }, base)).toBe(true);
  expect(goesElsewhere({ ...draft, reach: 'agent' }, base)).toBe(false);
  expect(goesElsewhere(draft, base)).toBe(false);
});

// Guarantee: a new server that is reached only through its agent carries no host and no password.
test('what a new server sends', () => {
  const typed = { ...newDraft('cluster'), name: 'New', password: 'secret' };
  expect(creationOf(typed)).toMatchObject({ host: '127.0.0.1', port: 25575, password: 'secret' });
  expect(creationOf({ ...typed, reach: 'agent' })).toEqual({
    clusterId: 'cluster',
    name: 'New',
    game: 'minecraft',
    host: null,
    port: 25575,
  });
});

// Guarantee: in a conflict, only what was typed here is applied, but a password goes only to the address it was typed for.
test('a change onto a newer version', () => {
  const theirs = { ...base, version: 7, name: 'Theirs', host: '10.9.9.9' };
  expect(changeOf({ ...draft, name: 'Mine' }, base, theirs)).toEqual({ version: 7, name: 'Mine' });
  expect(changeOf({ ...draft, passwordChoice: 'new', password: 'x' }, base, theirs)).toEqual({
    version: 7,
    host: '10.0.0.1',
    password: 'x',
  });
});

// Guarantee: with the agent as the only way, no hidden password is sent; a new port drops the stored one.
test('no hidden password', () => {
  const typed = { ...draft, passwordChoice: 'new', password: 'hidden', reach: 'agent' } as const;
  expect(changeOf(typed, base)).toEqual({ version: 4, host: null });
  expect(changeOf({ ...typed, port: '1' }, base)).toEqual({ version: 4, host: null, port: 1, password: '' });
});

// Guarantee: the stored password is deselected when the server's address changes, and selected again when it changes back.
test('the stored password and its place', () => {
  const away = withChanges(draft, base, { host: '10.0.0.2' });
  expect(away.passwordChoice).toBe('new');
  expect(withChanges(away, base, { host: '10.0.0.1' }).passwordChoice).toBe('keep');
  const typed = withChanges(away, base, { password: 'x' });
  expect(withChanges(typed, base, { host: '10.0.0.1' })).toMatchObject({
    passwordChoice: 'new',
    password: 'x',
  });
  expect(withChanges(draft, base, { passwordChoice: 'new' }).passwordChoice).toBe('new');
});

// Guarantee: a save in progress does not remove text typed during it.
test('typed while saving', () => {
  const sent = { ...draft, name: 'Sent', passwordChoice: 'new', password: 'x' } as const;
  const saved = { ...base, name: 'Sent', version: 5 };
  expect(afterSaving(sent, sent, saved)).toEqual(draftOf(saved));
  expect(afterSaving({ ...sent, name: 'Later' }, sent, saved)).toEqual({ ...draftOf(saved), name: 'Later' });
});
