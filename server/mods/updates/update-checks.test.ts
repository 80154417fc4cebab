import { afterEach, beforeEach, expect, test } from 'vitest';
import type { InstalledMod, ModsList } from '#contracts/servers/agent-mods.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { type ModSources, openModSources } from '#simulators/mod-sources/mod-sources.ts';
import { type MigratedDatabase, migratedDatabase, silentLog } from '../../kernel/testing/feature-api.ts';
import { insertServers } from '../../servers/console/testing/servers-in-use.ts';
import { createModSources } from '../sources/mod-sources.ts';
import { emptyList } from '../testing/sample-mods.ts';
import { createUpdateChecks, type UpdateChecks } from './update-checks.ts';

const installedOf = (project: string, version: string): InstalledMod => ({
  key: `modrinth:${project}`,
  source: 'modrinth',
  project,
  version,
  name: project,
  versionName: version,
  form: 'file',
  folder: 'mods',
  file: null,
  byName: 'Ada',
  since: '2026-01-01T00:00:00.000Z',
  files: [],
  fileCount: 1,
  changedFiles: [],
  metadata: null,
});

let database: MigratedDatabase;
let simulated: ModSources;
let list: ModsList | null;
let pinned: ReadonlySet<string>;
const opened: UpdateChecks[] = [];
beforeEach(async () => {
  database = await migratedDatabase();
  await insertServers(database.db, ['fjord']);
  simulated = await openModSources();
  pinned = new Set();
  simulated.catalogue.put({
    source: 'modrinth',
    id: 'AAAAAAAA',
    versions: [{ id: 'A1a1a1a1' }, { id: 'A2a2a2a2' }],
  });
  simulated.catalogue.put({
    source: 'modrinth',
    id: 'BBBBBBBB',
    versions: [{ id: 'B1b1b1b1' }, { id: 'B2b2b2b2' }],
  });
  list = {
    ...emptyList,
    installed: [installedOf('AAAAAAAA', 'A1a1a1a1'), installedOf('BBBBBBBB', 'B1b1b1b1')],
  };
});
afterEach(async () => {
  for (const checks of opened.splice(0)) await checks[Symbol.asyncDispose]();
  await simulated[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** As in one process of the API. */
const openChecks = (): UpdateChecks => {
  const checks = createUpdateChecks({
    db: database.db,
    sources: createModSources({
      urls: {
        modrinth: simulated.modrinthUrl,
        curseforge: simulated.curseforgeUrl,
        steam: simulated.steamUrl,
      },
      curseforgeKey: async () => new Secret(simulated.curseforgeKey),
      log: silentLog,
    }),
    listOf: async () => list,
    pinnedOf: async () => pinned,
    hours: async () => 6,
    log: silentLog,
  });
  opened.push(checks);
  return checks;
};
const told = async () =>
  (
    await database.db
      .selectFrom('event_logs')
      .select('payload')
      .where('kind', '=', 'mods.updates')
      .orderBy('id')
      .execute()
  ).map(({ payload }) => payload);

// Guarantee: updates of unpinned mods are found along with the facts about their projects, and each new one is reported once.
test('a check', async () => {
  const checks = openChecks();
  pinned = new Set(['modrinth:BBBBBBBB']);
  await checks.check('fjord');
  const first = await checks.read('fjord');
  expect(first?.findings.updates).toMatchObject({
    'modrinth:AAAAAAAA': { from: 'A1a1a1a1', version: 'A2a2a2a2', isByHand: false },
  });
  expect(Object.keys(first?.findings.updates ?? {})).toHaveLength(1);
  expect(first?.findings.projects['modrinth:BBBBBBBB']).toMatchObject({ id: 'BBBBBBBB', license: 'MIT' });
  expect(first).toMatchObject({ findings: { faults: [] } });
  await checks.check('fjord');
  expect(await told()).toEqual([{ name: 'fjord', count: 1, mods: ['AAAAAAAA'] }]);
  pinned = new Set();
  await checks.check('fjord');
  await checks.check('fjord');
  expect(await told()).toHaveLength(2);
});

// Guarantee: an unreachable source neither removes an update nor adds one; the check says so.
test('a source that is away', async () => {
  await openChecks().check('fjord');
  simulated.misbehave('modrinth', { status: 500 });
  // A new client, without what the first one cached from the source.
  const checks = openChecks();
  await checks.check('fjord');
  const kept = await checks.read('fjord');
  expect(Object.keys(kept?.findings.updates ?? {})).toHaveLength(2);
  expect(kept?.findings.projects['modrinth:AAAAAAAA']).toBeDefined();
  expect(kept?.findings.faults).toMatchObject([{ code: 'SOURCE_AWAY', isBlocking: false }]);
  expect(await told()).toHaveLength(1);
});

// Guarantee: an installed version for another version of the game is never taken back; the check names the other line.
test('another line', async () => {
  simulated.catalogue.put({
    source: 'modrinth',
    id: 'AAAAAAAA',
    name: 'Fastload',
    versions: [
      { id: 'A1a1a1a1', number: '2.6.11', gameVersions: ['1.21.2'] },
      { id: 'A2a2a2a2', number: '2.6.10', gameVersions: ['1.21.1'] },
    ],
  });
  const checks = openChecks();
  await checks.check('fjord');
  const { updates, faults } = (await checks.read('fjord'))?.findings ?? {};
  expect(Object.keys(updates ?? {})).toEqual(['modrinth:BBBBBBBB']);
  expect(faults).toMatchObject([
    {
      code: 'OTHER_LINE',
      isBlocking: false,
      mod: 'AAAAAAAA',
      other: '2.6.10',
      detail: '2.6.11 (1.21.2, fabric); 2.6.10 (1.21.1, fabric)',
    },
  ]);
});

// Guarantee: a file that someone put there by hand is recognized by its hash.
test('files of others', async () => {
  const [version] = simulated.catalogue.of('modrinth')[0]?.versions ?? [];
  if (!version || !list) throw new Error('no version');
  const { sha1, sha512, fingerprint, content } = version.file;
  list = {
    ...list,
    installed: [],
    found: [
      {
        path: 'mods/unknown.jar',
        bytes: content.length,
        sha1,
        sha512,
        fingerprint,
        metadata: null,
        modifiedAt: '2026-01-01T00:00:00.000Z',
      },
    ],
    foundCount: 1,
  };
  const checks = openChecks();
  await checks.check('fjord');
  expect((await checks.read('fjord'))?.findings.known[sha512]).toMatchObject({
    project: { id: 'AAAAAAAA' },
    version: 'A1a1a1a1',
    file: { hashes: { sha512 } },
  });
});

// Guarantee: two processes check a server once on schedule; a check that a killed process left behind is taken over.
test('on schedule', async () => {
  const [one, other] = [openChecks(), openChecks()];
  await Promise.all([one.prepare(), other.prepare()]);
  await eventually(async () => expect(await one.read('fjord')).not.toBeNull());
  await Promise.all([one.check('fjord'), other.check('fjord')]);
  expect(await told()).toHaveLength(1);
  const next = Date.parse((await one.read('fjord'))?.nextAt ?? '');
  expect((next - Date.now()) / 3_600_000).toBeGreaterThan(5);
  // The state left by a process that dies during a check.
  await database.pool.query(
    `update mod_checks set checked_at = null, leased_until = now() - interval '1 second', next_at = now()`,
  );
  const third = openChecks();
  await third.prepare();
  await eventually(async () => expect(await third.read('fjord')).not.toBeNull());
});
