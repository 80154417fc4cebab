// @module-tag identity

import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModUpload } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { filePartBytes } from '#contracts/servers/agent-files.ts';
import { eventually } from '#harness/eventually.ts';
import { fabricMod } from '#simulators/mod-sources/mod-files.ts';
import { sqlSession } from '../../server/kernel/testing/sql.ts';
import {
  fromModrinth,
  type ModdedServer,
  type ModdedStack,
  openModdedStack,
  patientMs,
} from './testing/modded-stack.ts';

/** The API, an agent, its holder and the game, each as a separate process, and the mod sources on a port. */

let stack: ModdedStack;
let server: ModdedServer;

beforeAll(async () => {
  stack = await openModdedStack(['fjord']);
  const [first] = stack.servers;
  if (!first) throw new Error('no server');
  server = first;
});
afterAll(() => stack?.[Symbol.asyncDispose]());

// Guarantee: a mod is found, planned with its requirements, installed and proven by a game that loaded it; so is its update, and a
// rollback job undoes each.
test('the life of a mod', { timeout: 300_000 }, async () => {
  expect(await server.read()).toMatchObject({
    list: { loader: 'fabric', gameVersion: '1.21.1', installed: [], found: [] },
  });
  expect(
    await stack.call(modsHttp.search, { serverId: server.id, source: 'modrinth', text: 'alpha' }),
  ).toMatchObject({ rows: [{ id: 'ALPHA001', isInstalled: false }] });
  const plan = await server.plan(fromModrinth('ALPHA001', 'Alphav100'));
  expect(plan).toMatchObject({
    faults: [],
    needsRestart: true,
    lines: [
      { name: 'Library', neededBy: 'Alpha' },
      { name: 'Alpha', neededBy: null },
    ],
  });
  const installed = await server.ended(await server.begin(plan));
  expect(installed).toMatchObject({
    state: 'done',
    detail: null,
    result: { set: 'new', revision: 1, health: 'proven', isRolledBack: false },
  });
  expect(await server.files()).toEqual(['Alpha-1.jar', 'Library-2.jar']);
  await server.isUp();

  const updated = await server.run({ do: 'update', key: 'modrinth:ALPHA001', version: null });
  expect(updated).toMatchObject({ state: 'done', result: { health: 'proven', revision: 2 } });
  expect(await server.files()).toEqual(['Alpha-2.jar', 'Library-2.jar']);
  await server.isUp();

  // Known from the agent's report of the mods, which is requested here.
  await eventually(
    async () => expect(await server.read()).toMatchObject({ lastJob: { id: updated.id, canUndo: true } }),
    patientMs,
  );
  expect(await server.run({ do: 'undo', job: updated.id })).toMatchObject({
    state: 'done',
    result: { health: 'proven', revision: 3 },
  });
  expect(await server.files()).toEqual(['Alpha-1.jar', 'Library-2.jar']);
  await server.isUp();

  await eventually(
    async () => expect(await stack.told()).toEqual(['mods.changed', 'mods.changed', 'mods.changed']),
    patientMs,
  );
  const audited = await stack.audited();
  expect(audited.map(({ action }) => action)).toEqual([
    ...['mods.change', 'mods.ended', 'mods.change', 'mods.ended', 'mods.change', 'mods.ended'],
  ]);
  expect(audited[1]?.after).toMatchObject({ job: installed.id, state: 'done', health: 'proven' });
});

// Guarantee: a mod that prevents the game from starting is removed automatically: the previous set is in place, the game runs with
// it, and the job has the lines that say why.
test('a mod that makes the game crash', { timeout: 300_000 }, async () => {
  const before = await server.files();
  const job = await server.run(fromModrinth('CRASH001'), fromModrinth('BETA0001'));
  expect(job).toMatchObject({
    state: 'failed',
    canUndo: false,
    result: { set: 'old', isRolledBack: true, health: 'failed', failedAt: 'start' },
  });
  expect(job.result?.lines.join('\n')).toContain('Incompatible mods found!');
  expect(await server.files()).toEqual(before);
  await server.isUp();
  await eventually(async () => expect((await stack.told()).at(-1)).toBe('mods.rolled-back'), patientMs);
});

// Guarantee: an uploaded file reaches the game unchanged through the API, in chunks in both directions.
test('an uploaded mod', { timeout: 300_000 }, async () => {
  // More than one chunk for an agent's download.
  const filling = randomBytes(filePartBytes);
  const content = await fabricMod({ id: 'ours', version: '1.0.0', files: { filling } });
  const of = { serverId: server.id };
  const { id } = await stack.call<ModUpload>(modsHttp.beginUpload, of, {
    name: 'ours.jar',
    bytes: content.length,
  });
  const half = Math.floor(content.length / 2);
  for (const [from, part] of [
    [0, content.subarray(0, half)],
    [half, content.subarray(half)],
  ] as const) {
    const answer = await stack.fetch(`/api/servers/${server.id}/mods/uploads/${id}?from=${from}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: new Uint8Array(part),
    });
    expect(await answer.json()).toMatchObject({ received: from + part.length });
  }
  const plan = await server.plan({ do: 'install-upload', upload: id });
  expect(plan).toMatchObject({ faults: [], lines: [{ source: 'upload', name: 'ours' }] });
  expect(await server.ended(await server.begin(plan))).toMatchObject({ state: 'done', detail: null });
  const placed = await readFile(join(server.mods, 'ours.jar'));
  expect(sha512(placed)).toBe(sha512(content));
  await server.isUp();
});

// Guarantee: a file that CurseForge gives only with a key reaches the game with the key from the API's settings, and the key is
// nowhere: not in a file of the API or the agent, not in their output, not in the database.
test('a file that needs the key', { timeout: 300_000, tags: 'night' }, async () => {
  const install = { do: 'install', source: 'curseforge', project: '238222', version: null } as const;
  expect(await server.plan(install)).toMatchObject({ faults: [{ code: 'SOURCE_NO_KEY', isBlocking: true }] });
  const key = stack.sources.curseforgeKey;
  await stack.call(
    settingsHttp.change,
    { section: 'external-services' },
    { version: 0, values: { curseforgeApiKey: key } },
  );
  const plan = await eventually(async () => {
    const made = await server.plan(install);
    expect(made.faults).toEqual([]);
    return made;
  }, patientMs);
  const job = await server.ended(await server.begin(plan));
  expect(job).toMatchObject({ state: 'done', detail: null, result: { health: 'proven' } });
  const downloads = stack.sources.requestsTo('files').filter(({ path }) => path.includes('jei-1.jar'));
  expect(downloads.map(({ headers }) => headers['x-api-key'])).toContain(key);
  await server.isUp();

  const { home, databaseUrl } = stack.installation;
  const texts = [server.agent().stdout(), server.agent().stderr(), ...(await textsBelow(home))];
  texts.push(...(await textsOf(databaseUrl.reveal())));
  const holding = (word: string) => texts.filter((text) => text.includes(word)).length;
  // Proves that the search finds existing text.
  expect(holding(job.id)).toBeGreaterThan(1);
  expect(holding(plan.id)).toBeGreaterThan(0);
  for (const form of ['latin1', 'base64', 'base64url', 'hex'] as const)
    expect(holding(Buffer.from(key).toString(form))).toBe(0);
});

const sha512 = (content: Buffer) => createHash('sha512').update(content).digest('hex');

const textsBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')));
};

/** Each row of each table. */
const textsOf = async (databaseUrl: string): Promise<string[]> => {
  await using sql = await sqlSession(databaseUrl);
  const tables = await sql.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name
     from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.query<{ text: string }>(`select row_to_json(t)::text as text from ${name} as t`);
    texts.push(...rows.map(({ text }) => text));
  }
  return texts;
};
