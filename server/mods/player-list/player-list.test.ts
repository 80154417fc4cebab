import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import type { InstalledMod, ModFile, ModsList } from '#contracts/servers/agent-mods.ts';
import { gameOf } from '#games/games.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { ask } from '../../kernel/testing/ask.ts';
import {
  type MigratedDatabase,
  migratedDatabase,
  serveFeature,
  testOwner,
} from '../../kernel/testing/feature-api.ts';
import { insertServers } from '../../servers/console/testing/servers-in-use.ts';
import { bindPlayerListRoutes } from './player-list.routes.ts';
import { createPlayerList, type PlayerList } from './player-list.ts';
import { usualPackHosts } from './player-pack.ts';

const hashOf = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');
const fileOf = (name: string, url = `https://cdn.modrinth.com/data/${name}`): ModFile => ({
  name,
  bytes: name.length,
  hashes: { sha1: hashOf('sha1', name), sha512: hashOf('sha512', name) },
  from: { kind: 'address', url, key: null },
});
const modOf = (key: string, name: string, more: Partial<InstalledMod> = {}): InstalledMod => ({
  key,
  source: key.split(':')[0] as InstalledMod['source'],
  project: key.split(':')[1] ?? null,
  version: 'v1',
  name,
  versionName: '1.0',
  form: 'file',
  folder: 'mods',
  file: fileOf(`${name.toLowerCase()}.jar`),
  byName: 'a secret admin',
  since: '2026-01-01T00:00:00.000Z',
  files: [{ path: `mods/secret-path-${name}.jar`, bytes: 1 }],
  fileCount: 1,
  changedFiles: [],
  metadata: null,
  ...more,
});
const listOf = (more: Partial<ModsList>): ModsList => ({
  revision: 1,
  loader: 'fabric',
  loaderVersion: '0.16.10',
  gameVersion: '1.21.1',
  forms: ['file'],
  installed: [],
  found: [],
  foundCount: 0,
  foundIds: [],
  obstacle: null,
  obstacleDetail: null,
  rehearsalObstacle: null,
  freeBytes: null,
  pending: null,
  ...more,
});
const serverSide = {
  id: 'x',
  name: null,
  version: null,
  authors: [],
  loaders: [],
  requires: [],
  breaks: [],
};

let database: MigratedDatabase;
let list: ModsList;
let playerList: PlayerList;
/** How often the whole list was read. */
let reads: number;
const keep = async (told: ModsList) => {
  list = told;
  const row = { list: JSON.stringify(told), listed_at: new Date() };
  await database.db
    .insertInto('server_mods')
    .values({ server_id: 'fjord', ...row })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(row))
    .execute();
};
beforeEach(async () => {
  database = await migratedDatabase();
  await insertServers(database.db, ['fjord']);
  reads = 0;
  await keep(
    listOf({
      installed: [
        modOf('modrinth:AAAA', 'Lithium'),
        modOf('modrinth:BBBB', 'Sodium'),
        modOf('curseforge:1', 'By hand', {
          file: {
            ...fileOf('hand.jar'),
            from: { kind: 'address', url: 'https://edge.forgecdn.net/1', key: 'curseforge' },
          },
        }),
        modOf('upload:1', '<script>alert(1)</script>', {
          project: null,
          file: { ...fileOf('own.jar'), from: { kind: 'api', id: '1' } },
        }),
        modOf('modrinth:CCCC', 'Backups', { metadata: { ...serverSide, side: 'server' } }),
        modOf('modrinth:DDDD', 'Essentials', { folder: 'plugins' }),
      ],
    }),
  );
  playerList = createPlayerList({
    db: database.db,
    async listOf(serverId) {
      reads += 1;
      const { db } = database;
      const row = await db
        .selectFrom('server_mods')
        .select('list')
        .where('server_id', '=', serverId)
        .executeTakeFirst();
      return row?.list ?? null;
    },
    packHosts: usualPackHosts,
  });
});
afterEach(() => database[Symbol.asyncDispose]());

const by = { actor: testOwner, address: '::1' };
const shared = async () => {
  const answer = await playerList.share('fjord', true, by);
  if (isRefusal(answer) || !answer.playerList) throw new Error('not shared');
  return answer.playerList.url.split('/').at(-1) ?? '';
};
const packed = async (token: string) => {
  const pack = await playerList.pack(token);
  if (isRefusal(pack)) throw new Error(pack.refused);
  return buffer(pack);
};

// Guarantee: players see the mods they need and nothing of the server's files or its admins; what a pack may not contain
// links to its page.
test('what players are shown', async () => {
  const answer = await playerList.read(await shared());
  expect(answer).toMatchObject({
    server: 'fjord',
    loader: 'fabric',
    gameVersion: '1.21.1',
    hasPack: true,
    mods: [
      { name: '<script>alert(1)</script>', page: null, isInPack: false },
      { name: 'By hand', page: 'https://www.curseforge.com/projects/1', isInPack: false },
      { name: 'Lithium', page: 'https://modrinth.com/project/AAAA', isInPack: true },
      { name: 'Sodium', isInPack: true },
    ],
  });
  expect(JSON.stringify(answer)).not.toMatch(/secret|\.jar|hashes/);
});

// Guarantee: our own pack reader accepts the pack, it has the hashes of the files, and the same mods make the same bytes.
test('the pack', async () => {
  const token = await shared();
  const bytes = await packed(token);
  const isSame = (await packed(token)).equals(bytes);
  await keep({ ...list, installed: list.installed.toReversed() });
  expect([isSame, (await packed(token)).equals(bytes)]).toEqual([true, true]);
  await using folder = await temporaryFolder('pack');
  const path = join(folder.path, 'players.mrpack');
  await writeFile(path, bytes);
  await using archive = await openArchive(path);
  const { content, downloads } = await gameOf('minecraft').mods.inspect(archive);
  expect(content).toMatchObject({
    is: 'pack',
    name: 'fjord',
    gameVersion: '1.21.1',
    loader: 'fabric',
    overrides: 0,
    clientOnly: 0,
    files: [
      { path: 'mods/lithium.jar', sha512: hashOf('sha512', 'lithium.jar'), host: 'cdn.modrinth.com' },
      { path: 'mods/sodium.jar', sha512: hashOf('sha512', 'sodium.jar'), host: 'cdn.modrinth.com' },
    ],
  });
  expect(downloads[0]?.file.hashes).toEqual(fileOf('lithium.jar').hashes);
});

// Guarantee: a replaced or withdrawn address opens nothing, and no entry of the audit log holds one.
test('addresses end', async () => {
  const first = await shared();
  const second = await shared();
  expect(first).not.toBe(second);
  expect(await playerList.of('fjord')).toEqual({ url: `/mods/${second}` });
  expect(await playerList.read(first)).toMatchObject({ refused: 'NOT_FOUND' });
  await playerList.share('fjord', false, by);
  expect(await playerList.read(second)).toMatchObject({ refused: 'NOT_FOUND' });
  expect(await playerList.pack(second)).toMatchObject({ refused: 'NOT_FOUND' });
  expect(await playerList.of('fjord')).toBeNull();
  const audit = await database.db.selectFrom('audit_logs').selectAll().execute();
  expect(audit.map(({ after }) => after)).toEqual([
    { isShared: true },
    { isShared: true },
    { isShared: false },
  ]);
  expect(JSON.stringify(audit)).not.toContain(second);
});

// Guarantee: Workshop ids link to their pages, and a game without packs offers none.
test('mods of ARK', async () => {
  await database.db.updateTable('game_servers').set({ game: 'ark-se' }).execute();
  await keep(
    listOf({
      loader: null,
      loaderVersion: null,
      gameVersion: null,
      forms: ['id'],
      installed: [modOf('steam:731604991', 'Structures Plus', { form: 'id', folder: null, file: null })],
      foundIds: ['12345'],
    }),
  );
  const token = await shared();
  expect(await playerList.read(token)).toMatchObject({
    hasPack: false,
    mods: [
      { name: '12345', page: 'https://steamcommunity.com/sharedfiles/filedetails/?id=12345' },
      { name: 'Structures Plus', page: 'https://steamcommunity.com/sharedfiles/filedetails/?id=731604991' },
    ],
  });
  expect(await playerList.pack(token)).toMatchObject({ refused: 'NOT_FOUND' });
});

// Guarantee: the page for players runs no script and loads nothing, whatever mods are called, is in the reader's language,
// and asks for patience before it becomes a burden.
test('the page', async () => {
  let nowMs = 0;
  await using api = await serveFeature((routes) =>
    bindPlayerListRoutes(
      routes,
      playerList,
      async () => ({ name: 'The <b>Keep</b>', language: 'pt-BR' }),
      () => nowMs,
    ),
  );
  const token = await shared();
  const path = modsHttp.playerPage.path.replace(':token', token);
  const page = await ask(api.port, path, { headers: { 'Accept-Language': 'pt-PT, en;q=0.5' } });
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
  expect(page.text).toContain('<html lang="pt-BR">');
  expect(page.text).toContain(`href="/api/mod-lists/${token}/pack"`);
  expect(page.text).not.toMatch(/<script|onerror|secret/);
  expect(page.text).toContain('&lt;script&gt;');
  expect(page.text).toContain('The &lt;b&gt;Keep&lt;/b&gt;</title>');
  const missing = await ask(api.port, '/mods/nothing', { headers: { 'Accept-Language': 'de' } });
  expect([missing.status, /Esta lista não está disponível/.test(missing.text)]).toEqual([404, true]);
  const statuses = [];
  for (let turn = 0; turn < 40; turn += 1) statuses.push((await ask(api.port, path)).status);
  expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([28, 429]);
  nowMs += 1000;
  expect((await ask(api.port, path)).status).toBe(200);
});

// Guarantee: however often strangers ask, a list is read once per revision, and they always see the current one.
test('asked for by many', async () => {
  const token = await shared();
  const answers = await Promise.all(Array.from({ length: 50 }, () => playerList.read(token)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  await Promise.all(Array.from({ length: 20 }, () => packed(token)));
  expect(reads).toBe(1);
  await keep({ ...list, installed: list.installed.slice(0, 1) });
  expect(await playerList.read(token)).toMatchObject({ mods: [{ name: 'Lithium' }] });
  await database.pool.query(`update game_servers set name = 'Renamed', name_key = 'renamed'`);
  expect(await playerList.read(token)).toMatchObject({ server: 'Renamed' });
  const known = {
    projects: { 'modrinth:AAAA': { name: 'Lithium II', side: 'both', page: null } },
    known: {},
  };
  await database.pool.query('insert into mod_checks (server_id, found) values ($1, $2)', [
    'fjord',
    JSON.stringify({ updates: {}, faults: [], ...known }),
  ]);
  expect(await playerList.read(token)).toMatchObject({ mods: [{ name: 'Lithium II' }] });
  expect(reads).toBe(4);
  await database.pool.query('delete from server_mods');
  expect(await playerList.read(token)).toMatchObject({ mods: [], hasPack: false });
});

// Guarantee: text that cannot be an address costs no database query, and a failed read is not cached.
test('nonsense, and a database that fails', async () => {
  const token = await shared();
  let isAway = true;
  const failing = createPlayerList({
    db: database.db,
    async listOf() {
      if (isAway) throw new Error('away');
      return list;
    },
    packHosts: usualPackHosts,
  });
  await expect(failing.read(token)).rejects.toThrow('away');
  isAway = false;
  expect(await failing.read(token)).toMatchObject({ server: 'fjord' });
  const queries: string[] = [];
  database.pool.on('acquire', () => queries.push('asked'));
  for (const address of [
    'x',
    `${token}x`,
    '../../etc/passwd',
    token.slice(1),
    "' or true --".padEnd(43, '-'),
  ])
    expect(await playerList.read(address)).toMatchObject({ refused: 'NOT_FOUND' });
  expect(queries).toEqual([]);
  await playerList.read(token);
  expect(queries).not.toEqual([]);
});
