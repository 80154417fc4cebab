import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Permission } from '#contracts/identity/permissions.ts';
import { eventually } from '#harness/eventually.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { createPlayerReading, type PlayerReading } from './player-reading.ts';
import type { Presence } from './presence.ts';
import { listed, type PresenceOfATest, presenceOfATest } from './testing/presence-of-a-test.ts';

let bench: PresenceOfATest;
let presence: Presence;
let reading: PlayerReading;
let one: string;
let other: string;

/** May see only the players of one server. */
const guest = (): Actor => ({
  ...testOwner,
  id: 'guest',
  permissions: new Set(),
  serverPermissions: new Map<string, ReadonlySet<Permission>>([
    [one, new Set(['players.read'])],
    [other, new Set(['servers.read'])],
  ]),
});

const list = async (server: string, ...names: [name: string, id: string | null][]) => {
  presence.report(
    server,
    'direct',
    names.map(([name, id]) => listed(name, id)),
  );
  await eventually(() =>
    expect(presence.read(server)).toMatchObject({
      asOf: bench.clock.now().toISOString(),
      players: names.map(([name]) => ({ name })),
    }),
  );
};
const search = (text?: string, actor = testOwner, serverId?: string) =>
  reading.search(actor, { text, serverId, limit: 100 });
const found = async (text?: string, actor = testOwner) =>
  (await search(text, actor)).rows.map(({ name }) => name);
const idOf = async (text: string) => (await search(text)).rows[0]?.id ?? '';
const granted = <Value>(value: Value) => {
  if (isRefusal(value)) throw new Error(value.refused);
  return value as Exclude<Value, { refused: unknown }>;
};
const at = (seconds: number) => new Date(Date.parse('2026-06-01T12:00:00Z') + seconds * 1000).toISOString();

// Ann plays 100 s on `one` and 50 s so far on `other`, under another name; Bob only there.
beforeAll(async () => {
  bench = await presenceOfATest();
  presence = await bench.start();
  reading = createPlayerReading(bench.database.db, presence);
  one = await bench.server();
  other = await bench.server();
  await list(one, ['Ann', 'steam:76561198000000001']);
  bench.clock.move(100);
  await list(one);
  bench.clock.move(100);
  await list(other, ['Änne_%', 'steam:76561198000000001'], ['Bob', null]);
  bench.clock.move(50);
  await list(other, ['Änne_%', 'steam:76561198000000001'], ['Bob', null]);
});
afterAll(() => bench[Symbol.asyncDispose]());

// Guarantee: players are found by any name they ever had, in any case, by part of it, and by the id with or without its platform.
test('search', async () => {
  expect(await found()).toEqual(['Bob', 'Änne_%']);
  for (const text of [
    'ann',
    'ANN',
    'nn',
    'ÄNNE_%',
    'änne',
    'e_%',
    '_',
    '76561198000000001',
    'STEAM:76561198000000001',
  ])
    expect([text, await found(text)]).toEqual([text, ['Änne_%']]);
  for (const text of ['x', 'steam:', '7656119800000000', '%%', '\\', '\0', '\u200b', 'a'.repeat(100)])
    expect([text, await found(text)]).toEqual([text, []]);
  expect((await search(undefined, testOwner, one)).rows.map(({ name }) => name)).toEqual(['Änne_%']);
  expect((await search(undefined, testOwner, 'nowhere')).rows).toEqual([]);
});

// Guarantee: time played is the sum of all sessions, including open ones.
test('time played', async () => {
  const ann = await idOf('Ann');
  expect(granted(await reading.read(testOwner, ann))).toEqual({
    id: ann,
    name: 'Änne_%',
    platformId: 'steam:76561198000000001',
    game: 'minecraft',
    firstSeenAt: at(0),
    lastSeenAt: at(250),
    playedSeconds: 150,
    onlineOn: other,
    names: [
      { name: 'Änne_%', firstSeenAt: at(200), lastSeenAt: expect.any(String) },
      { name: 'Ann', firstSeenAt: at(0), lastSeenAt: at(100) },
    ],
  });
  const { rows } = granted(await reading.sessions(testOwner, ann, { limit: 10 }));
  expect(rows.map(({ id: _, ...session }) => session)).toEqual([
    { serverId: other, joinedAt: at(200), leftAt: null, playedSeconds: 50 },
    { serverId: one, joinedAt: at(0), leftAt: at(100), playedSeconds: 100 },
  ]);
});

// Guarantee: a user who may see one server learns nothing from others: no player, name, time or session.
test('what is visible', async () => {
  expect(await found(undefined, guest())).toEqual(['Ann']);
  expect(await found('änne', guest())).toEqual([]);
  expect(await found('Bob', guest())).toEqual([]);
  expect((await search(undefined, guest(), other)).rows).toEqual([]);
  const ann = await idOf('Ann');
  expect(granted(await reading.read(guest(), ann))).toMatchObject({
    name: 'Ann',
    firstSeenAt: at(0),
    lastSeenAt: at(100),
    playedSeconds: 100,
    onlineOn: null,
    names: [{ name: 'Ann', firstSeenAt: at(0), lastSeenAt: at(100) }],
  });
  expect(granted(await reading.sessions(guest(), ann, { limit: 10 })).rows).toHaveLength(1);
  const bob = await idOf('Bob');
  expect(await reading.read(guest(), bob)).toEqual({ refused: 'NOT_FOUND' });
  expect(await reading.sessions(guest(), bob, { limit: 10 })).toEqual({ refused: 'NOT_FOUND' });
  expect(await reading.read(testOwner, '999999')).toEqual({ refused: 'NOT_FOUND' });
  expect(reading.online(guest()).map(({ serverId }) => serverId)).toEqual([one]);
  expect(reading.online(guest(), other)).toEqual([]);
  expect(reading.online(testOwner).map(({ serverId }) => serverId)).toEqual([one, other]);
  expect(reading.online(testOwner, other)[0]?.players).toHaveLength(2);
});

// Guarantee: page by page every player comes exactly once, even when many were last seen at the same moment.
test('pages', async () => {
  const server = await bench.server();
  await list(
    server,
    ...Array.from({ length: 25 }, (_, index): [string, string] => [`P${index}`, `steam:p${index}`]),
  );
  for (const actor of [
    testOwner,
    { ...guest(), serverPermissions: new Map([[server, new Set(['players.read' as const])]]) },
  ]) {
    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await reading.search(actor, {
        serverId: server,
        limit: 10,
        ...(cursor === null ? {} : { cursor }),
      });
      names.push(...page.rows.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect([names.length, new Set(names).size]).toEqual([25, 25]);
  }
  await expect(reading.search(testOwner, { limit: 1, cursor: 'made up' })).rejects.toThrow();
});
