import { describe, expect, onTestFinished, test } from 'vitest';
import { outsideReasons } from '#contracts/kernel/outside-reasons.ts';
import { type FoundMod, modForms } from '#contracts/servers/agent-mods.ts';
import type { DelayClock } from '#runtime/clock.ts';
import { Secret } from '#runtime/secret.ts';
import { fabricMod } from '#simulators/mod-sources/mod-files.ts';
import { openModSources } from '#simulators/mod-sources/mod-sources.ts';
import type { SourceQuirk } from '#simulators/mod-sources/quirks.ts';
import type { ModTarget } from '../../server/mods/sources/mod-source.ts';
import { createModSources } from '../../server/mods/sources/mod-sources.ts';

const fabric: ModTarget = {
  game: 'minecraft',
  loader: 'fabric',
  gameVersion: '1.21.1',
  forms: ['file', 'pack'],
};
const ark: ModTarget = { game: 'ark-se', loader: null, gameVersion: null, forms: ['id'] };
const { signal } = new AbortController();

/** A clock on which waits end immediately and move the time. */
const hastyClock = (): DelayClock & { readonly waits: number[] } => {
  let passed = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => new Date(Date.UTC(2026, 6, 1) + passed),
    monotonicMs: () => passed,
    async delay(ms) {
      waits.push(ms);
      passed += ms;
    },
  };
};

const open = async (key: string | null = 'the right one') => {
  const world = await openModSources(key === null ? {} : { curseforgeKey: 'the right one' });
  onTestFinished(() => world[Symbol.asyncDispose]());
  const clock = hastyClock();
  const warnings: unknown[] = [];
  const clients = createModSources({
    urls: { modrinth: world.modrinthUrl, curseforge: world.curseforgeUrl, steam: world.steamUrl },
    curseforgeKey: async () => (key === null ? null : new Secret(key)),
    log: { warn: (...line: unknown[]) => void warnings.push(line) },
    clock,
  });
  return { world, clients, clock, warnings };
};

const found = (path: string, file: { sha512: string; sha1: string; fingerprint: number }): FoundMod => ({
  path,
  bytes: 1,
  sha512: file.sha512,
  sha1: file.sha1,
  fingerprint: file.fingerprint,
  metadata: null,
  modifiedAt: '2026-01-01T00:00:00Z',
});

describe('Modrinth', () => {
  // Guarantee: people are offered only mods that their server can load, with author and licence.
  test('search, projects and versions tell what fits', async () => {
    const { world, clients } = await open();
    world.catalogue.put({
      source: 'modrinth',
      id: 'AANobbMI',
      slug: 'sodium',
      serverSide: 'unsupported',
      versions: [{ id: 'so1' }],
    });
    world.catalogue.put({
      source: 'modrinth',
      id: 'gvQqBUqZ',
      slug: 'lithium',
      author: 'jellysquid3',
      license: 'LGPL-3.0',
      versions: [
        { id: 'li1', number: '0.13', changelog: 'Faster\u0007\u202e' },
        { id: 'li2', number: '0.14', gameVersions: ['1.22'] },
        { id: 'li3', number: '0.15', loaders: ['forge'] },
        {
          id: 'li4',
          number: '0.16',
          channel: 'beta',
          dependencies: [{ kind: 'required', project: 'P7dR8mSH' }],
        },
      ],
    });

    const answer = await clients.modrinth.search(fabric, { text: '', offset: 0 }, signal);
    expect(answer).toMatchObject({ total: 1, rows: [{ id: 'gvQqBUqZ', license: 'LGPL-3.0', side: 'both' }] });
    expect(await clients.modrinth.projects(['gvQqBUqZ', 'AANobbMI', 'gone0000'], signal)).toMatchObject([
      { id: 'gvQqBUqZ', author: 'jellysquid3', page: 'https://modrinth.com/mod/lithium', side: 'both' },
      { id: 'AANobbMI', side: 'client' },
    ]);
    const versions = await clients.modrinth.versions('gvQqBUqZ', fabric, signal);
    expect(versions).toMatchObject([
      {
        id: 'li4',
        channel: 'beta',
        dependencies: [{ kind: 'required', project: 'P7dR8mSH', version: null }],
        file: { name: 'lithium-0.16.jar', hashes: { sha512: expect.stringMatching(/^[0-9a-f]{128}$/) } },
      },
      { id: 'li1', changelog: 'Faster' },
    ]);
    expect(await clients.modrinth.versions('gone0000', fabric, signal)).toBeNull();
    expect(await clients.modrinth.versionsById(['li2', 'none'], signal)).toMatchObject([{ id: 'li2' }]);
    const quilt = await clients.modrinth.versions('gvQqBUqZ', { ...fabric, loader: 'quilt' }, signal);
    expect(quilt).toHaveLength(2);
  });

  // Guarantee: a mod that was added by hand is recognized by its bytes.
  test('files are known by their hashes', async () => {
    const { world, clients } = await open();
    const content = await fabricMod({ id: 'lithium', version: '0.13' });
    const { versions } = world.catalogue.put({
      source: 'modrinth',
      id: 'gvQqBUqZ',
      versions: [{ id: 'li1', content }],
    });
    const file = versions[0]?.file;
    if (!file) throw new Error('no version');
    const other = { sha512: 'a'.repeat(128), sha1: 'b'.repeat(40), fingerprint: 1 };
    const known = await clients.modrinth.identify(
      'minecraft',
      [found('mods/a.jar', file), found('mods/b.jar', other)],
      signal,
    );
    expect(known).toEqual(
      new Map([['mods/a.jar', expect.objectContaining({ id: 'li1', project: 'gvQqBUqZ' })]]),
    );
  });

  // Guarantee: an unchanged answer is not sent twice.
  test('asks with the ETag that it was given', async () => {
    const { world, clients } = await open();
    world.catalogue.put({ source: 'modrinth', id: 'gvQqBUqZ', versions: [{ id: 'li1' }] });
    const first = await clients.modrinth.versions('gvQqBUqZ', fabric, signal);
    const second = await clients.modrinth.versions('gvQqBUqZ', fabric, signal);
    expect(second).toEqual(first);
    expect(world.requests.map(({ status }) => status)).toEqual([200, 304]);
  });
});

// Guarantee: no matter how a source misbehaves, its client says that nothing is known, and never that there is nothing.
describe('a source that misbehaves', () => {
  const away: readonly SourceQuirk[] = [
    'nonsense',
    'no-json',
    'huge',
    'endless',
    'cut',
    'hang-up',
    { status: 400 },
    { status: 403 },
    { status: 410 },
    { status: 500 },
    { status: 503 },
  ];
  test.each(away)('%j is a source that is away', async (quirk) => {
    const { world, clients } = await open();
    world.misbehave('modrinth', quirk);
    const failed = { failed: { source: 'modrinth', state: 'away', againAt: null } };
    expect(await clients.modrinth.search(fabric, { text: 'x', offset: 0 }, signal)).toMatchObject(failed);
    expect(await clients.modrinth.versions('gvQqBUqZ', fabric, signal)).toMatchObject(failed);
    expect(await clients.modrinth.versionsById(['li1'], signal)).toMatchObject(failed);
  });

  test('what stands in the way is said to the person', async () => {
    const { world, clients } = await open();
    world.misbehave('modrinth', 'hang-up');
    const { host } = new URL(world.modrinthUrl);
    expect(await clients.modrinth.search(fabric, { text: 'x', offset: 0 }, signal)).toMatchObject({
      failed: { state: 'away', why: outsideReasons['outside-reset'](host) },
    });
  });

  test('a fault that passes is tried again', async () => {
    const { world, clients, clock } = await open();
    world.catalogue.put({ source: 'modrinth', id: 'gvQqBUqZ', versions: [{ id: 'li1' }] });
    world.misbehave('modrinth', { status: 502 }, 2);
    expect(await clients.modrinth.versions('gvQqBUqZ', fabric, signal)).toHaveLength(1);
    expect(clock.waits).toHaveLength(2);
  });

  test('a short pause is waited for, a long one is told to all that ask, without a request', async () => {
    const { world, clients, clock } = await open();
    world.catalogue.put({ source: 'modrinth', id: 'gvQqBUqZ', versions: [{ id: 'li1' }] });
    world.misbehave('modrinth', { limited: { retryAfter: '2' } }, 1);
    expect(await clients.modrinth.versions('gvQqBUqZ', fabric, signal)).toHaveLength(1);
    expect(clock.waits).toEqual([2000]);

    world.misbehave('modrinth', { limited: { retryAfter: '120' } }, 1);
    const asked = world.requests.length;
    const limited = {
      failed: { source: 'modrinth', state: 'limited', againAt: '2026-07-01T00:02:02.000Z' },
    };
    expect(await clients.modrinth.versions('gvQqBUqZ', fabric, signal)).toEqual(limited);
    expect(await clients.modrinth.versionsById(['li1'], signal)).toEqual(limited);
    expect(world.requests.length).toBe(asked + 1);
  });

  test('a spent budget is a pause, before the source has to say so', async () => {
    const { world, clients } = await open();
    world.catalogue.put({ source: 'modrinth', id: 'gvQqBUqZ', versions: [{ id: 'li1' }] });
    world.catalogue.put({ source: 'modrinth', id: 'AANobbMI', versions: [{ id: 'so1' }] });
    world.budget = { remaining: 0, resetSeconds: 30 };
    expect(await clients.modrinth.versions('gvQqBUqZ', fabric, signal)).toHaveLength(1);
    expect(await clients.modrinth.versions('AANobbMI', fabric, signal)).toMatchObject({
      failed: { state: 'limited' },
    });
    expect(world.requests).toHaveLength(1);
  });

  // Guarantee: a caller that needs more answers than the budget allows gets further with each try.
  test('what was answered lately takes nothing from a scarce budget', async () => {
    const { world, clients, clock } = await open();
    world.catalogue.put({ source: 'modrinth', id: 'gvQqBUqZ', versions: [{ id: 'li1' }] });
    world.budget = { remaining: 50, resetSeconds: 30 };
    const asked = () => clients.modrinth.versions('gvQqBUqZ', fabric, signal);
    expect(await asked()).toEqual(await asked());
    expect(world.requests).toHaveLength(1);
    await clock.delay(11 * 60_000, signal);
    await asked();
    expect(world.requests).toHaveLength(2);
  });

  test('one that is silent is left when the caller goes', async () => {
    const { world, clients } = await open();
    world.misbehave('modrinth', 'silence');
    const caller = new AbortController();
    const asked = clients.modrinth.search(fabric, { text: 'x', offset: 0 }, caller.signal);
    await expect.poll(() => world.requests.length).toBe(1);
    caller.abort(new Error('the caller went'));
    await expect(asked).rejects.toThrow('the caller went');
  });
});

describe('CurseForge', () => {
  // Guarantee: before an agent has reported, a server of Minecraft is offered mods and packs, with all their versions, and nothing else
  // that authors publish there.
  test('a server without a report', async () => {
    const { world, clients } = await open();
    const versions = ['1', '2'].map((id) => ({ id, gameVersions: ['1.21.1', 'Fabric'] }));
    world.catalogue.put({ source: 'curseforge', id: '9', slug: 'two', versions });
    const unknown: ModTarget = { game: 'minecraft', loader: null, gameVersion: null, forms: modForms };
    await clients.curseforge.search(unknown, { text: '', offset: 0 }, signal);
    const searches = world.requestsTo('curseforge').filter(({ path }) => path.includes('/mods/search'));
    expect(searches.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('classId'))).toEqual([
      '6',
      '4471',
    ]);
    expect(await clients.curseforge.versions('9', unknown, signal)).toHaveLength(2);
  });

  test('versions tell loaders, relations and whose files a person has to fetch', async () => {
    const { world, clients } = await open();
    world.catalogue.put({
      source: 'curseforge',
      id: '238222',
      slug: 'jei',
      versions: [
        { id: '1', gameVersions: ['1.21.1', 'Forge'] },
        {
          id: '2',
          gameVersions: ['1.21.1', 'Fabric', 'Client', 'Server'],
          dependencies: [
            { kind: 'required', project: '306612' },
            { kind: 'incompatible', project: '7' },
          ],
          changelog: '<p>Fixed <b>all</b> &amp; more</p><script>x</script>',
        },
        { id: '3', gameVersions: ['1.21.1', 'Fabric', 'Client'] },
      ],
    });
    world.catalogue.put({
      source: 'curseforge',
      id: '5',
      slug: 'closed',
      allowModDistribution: false,
      versions: [{ id: '50', gameVersions: ['1.21.1', 'Fabric'] }],
    });
    expect(await clients.curseforge.versions('238222', fabric, signal)).toMatchObject([
      {
        id: '2',
        isByHand: false,
        loaders: ['fabric'],
        gameVersions: ['1.21.1'],
        dependencies: [
          { kind: 'required', project: '306612' },
          { kind: 'incompatible', project: '7' },
        ],
        file: { hashes: { sha1: expect.any(String) }, from: { key: 'curseforge' } },
      },
    ]);
    expect(await clients.curseforge.versionsById(['2', '3', '77'], signal)).toMatchObject([
      { id: '2', changelog: 'Fixed all & more\nx' },
    ]);
    expect(await clients.curseforge.versions('5', fabric, signal)).toMatchObject([
      {
        isByHand: true,
        page: 'https://www.curseforge.com/minecraft/mc-mods/closed/files/50',
        file: { hashes: { sha1: expect.any(String) }, from: { key: null } },
      },
    ]);
    expect(await clients.curseforge.versions('999', fabric, signal)).toBeNull();
    expect(await clients.curseforge.search(fabric, { text: 'jei', offset: 0 }, signal)).toMatchObject({
      rows: [{ id: '238222', author: 'someone' }],
    });
  });

  test('of a modpack, the file for servers is taken', async () => {
    const { world, clients } = await open();
    world.catalogue.put({
      source: 'curseforge',
      id: '4711',
      type: 'modpack',
      versions: [
        { id: '10', fileName: 'server.zip', gameVersions: [], isServerPack: true },
        { id: '11', fileName: 'pack.zip', gameVersions: ['1.21.1', 'Fabric'], serverPack: '10' },
        { id: '12', fileName: 'pack2.zip', gameVersions: ['1.21.1', 'Fabric'] },
      ],
    });
    expect(await clients.curseforge.versions('4711', fabric, signal)).toMatchObject([
      { id: '10', form: 'pack', gameVersions: ['1.21.1'], file: { name: 'server.zip' } },
    ]);
  });

  test('files are known by fingerprint, and only with the right bytes', async () => {
    const { world, clients } = await open();
    const { versions } = world.catalogue.put({
      source: 'curseforge',
      id: '238222',
      versions: [{ id: '2', gameVersions: ['1.21.1', 'Fabric'] }],
    });
    const file = versions[0]?.file;
    if (!file) throw new Error('no version');
    const collides = { ...file, sha1: 'b'.repeat(40) };
    const known = await clients.curseforge.identify(
      'minecraft',
      [found('mods/a.jar', file), found('mods/b.jar', collides)],
      signal,
    );
    expect(known).toEqual(new Map([['mods/a.jar', expect.objectContaining({ id: '2' })]]));
  });

  // Guarantee: a wrong key, a missing key and a rate-limited source are distinguished; the key is in no log.
  test('says what is with the key', async () => {
    const without = await open(null);
    expect(await without.clients.curseforge.projects(['1'], signal)).toMatchObject({
      failed: { state: 'no-key' },
    });
    expect(without.world.requests).toHaveLength(0);

    const { clients, world, warnings } = await open('wrong-and-secret');
    expect(await clients.curseforge.projects(['1'], signal)).toMatchObject({
      failed: { state: 'key-refused' },
    });
    world.misbehave('curseforge', 'nonsense');
    const state = await clients.curseforge.projects(['1'], signal);
    world.misbehave('curseforge', 'too-much-traffic');
    expect(await clients.curseforge.projects(['1'], signal)).toMatchObject({ failed: { state: 'limited' } });
    expect(JSON.stringify([state, warnings])).not.toContain('wrong-and-secret');
    expect(warnings).toHaveLength(1);
  });
});

test('Steam: ids and addresses stand for search, items of other games and those that are gone are none', async () => {
  const { world, clients } = await open();
  world.catalogue.put({
    source: 'steam',
    id: '731604991',
    game: 'ark-se',
    name: 'Structures Plus',
    versions: [{ id: '1' }],
  });
  world.catalogue.put({ source: 'steam', id: '2222222', game: 'seven-days-to-die', versions: [{ id: '1' }] });
  const text = 'https://steamcommunity.com/sharedfiles/filedetails/?id=731604991&searchtext= 2222222 9999999';
  expect(await clients.steam.search(ark, { text, offset: 0 }, signal)).toMatchObject({
    total: 1,
    rows: [{ id: '731604991', name: 'Structures Plus', form: 'id' }],
  });
  expect(await clients.steam.search(ark, { text: 'structures', offset: 0 }, signal)).toEqual({
    rows: [],
    total: 0,
  });
  const versions = await clients.steam.versions('731604991', ark, signal);
  expect(versions).toMatchObject([{ form: 'id', file: null, project: '731604991' }]);
  const updated = Date.UTC(2026, 0, 1) / 1000;
  expect(await clients.steam.versionsById([`731604991-${updated}`], signal)).toEqual(versions);
  expect(await clients.steam.versionsById(['731604991-1'], signal)).toEqual([]);
  expect(await clients.steam.versions('9999999', ark, signal)).toBeNull();
});
