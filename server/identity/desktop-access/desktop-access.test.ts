import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { desktopAccessHttp } from '#contracts/identity/desktop-access.ts';
import { builtInRoles } from '#contracts/identity/permissions.ts';
import { testDatabase } from '#harness/database.ts';
import { keyProofBySecret } from '#runtime/api-key-proof.ts';
import { migrate } from '#runtime/database/migrate.ts';
import { confirmationBy, confirmationHeader } from '#runtime/desktop-confirmation.ts';
import { Secret } from '#runtime/secret.ts';
import { migrations } from '../../kernel/database/migrations.ts';
import { apiDatabase } from '../../kernel/testing/api-database.ts';
import { call, person } from '../../kernel/testing/call.ts';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import { sqlSession } from '../../kernel/testing/sql.ts';
import { startTestApi, testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';

const oldSecret = 's'.repeat(43);
const oldKey = `cst_oldkey_${oldSecret}`;
const confirmed = (credential: string) => ({
  [confirmationHeader]: confirmationBy(new Secret(credential)),
});

/** The schema before this change, with a desktop's key, and keys that only look like one. */
const asTheVersionBefore = async (url: Secret) => {
  const pool = new pg.Pool({ connectionString: url.reveal(), max: 1 });
  const db = new Kysely<Record<never, never>>({ dialect: new PostgresDialect({ pool }) });
  const before = Object.entries(migrations).filter(([name]) => name < '0008');
  await migrate({ db, migrations: Object.fromEntries(before), log: silentLog });
  await db.destroy();
  await using sql = await sqlSession(url);
  const insert = `insert into api_keys (id, name, secret_hash, permissions, expires_at)
    values ($1, $2, $3, $4, now() + $5::interval)`;
  const hash = createHash('sha256').update(oldSecret).digest();
  const rows: [string, string, readonly string[], string][] = [
    ['oldkey', 'Desktop of Ana', builtInRoles.owner, '365 days'],
    ['longname', `Desktop of ${'l'.repeat(50)}`, builtInRoles.owner, '365 days'],
    ['shortlived', 'Desktop of Bob', builtInRoles.owner, '1 day'],
    ['narrow', 'Desktop of Eva', ['events.read'], '365 days'],
    ['script', 'backup', builtInRoles.owner, '365 days'],
  ];
  for (const [id, name, permissions, life] of rows)
    await sql.query(insert, [id, name, hash, permissions, life]);
};

// Guarantee: an installation that signed in with a key of its services continues with the same text, as the actor
// `desktop`; keys that only look alike stay keys; what is revoked opens nothing, not even as a key.
test('a desktop from before', async () => {
  await using database = await testDatabase();
  await asTheVersionBefore(database.url);
  await using api = await startTestApi({ databaseUrl: database.url, workers: [] });
  await whenInUse(api);
  const { port } = api;
  const me = async (as: string) => {
    const { status, json } = await call(port, accountHttp.me, { as });
    return status === 200 ? [json.kind, json.id] : status;
  };
  expect(await me(oldKey)).toEqual(['desktop', 'Ana']);
  for (const id of ['shortlived', 'narrow', 'script'])
    expect(await me(`cst_${id}_${oldSecret}`)).toEqual(['api-key', id]);
  const listed = await call(port, apiKeysHttp.list, { as: testDesktopCredential });
  expect((listed.json.rows as { id: string }[]).map(({ id }) => id).sort()).toEqual([
    'narrow',
    'script',
    'shortlived',
  ]);
  const nonce = 'n'.repeat(22);
  const proof = await call(
    port,
    { ...apiKeysHttp.prove, path: `/api/api-keys/oldkey/proof?nonce=${nonce}` },
    {},
  );
  expect(proof.json).toEqual({ proof: keyProofBySecret(oldSecret, nonce) });

  const body = { name: 'k', permissions: ['events.read' as const], expiresInDays: 1 };
  const newKey = (headers = {}) => call(port, apiKeysHttp.create, { as: oldKey, body, headers });
  expect((await newKey()).json.code).toBe('STEP_UP_REQUIRED');
  expect((await newKey(confirmed(oldKey))).status).toBe(200);
  const gone = await call(port, desktopAccessHttp.revoke, {
    as: testDesktopCredential,
    params: { id: 'oldkey' },
  });
  expect(gone.status).toBe(200);
  expect(await me(oldKey)).toBe(401);
});

// Guarantee: what the previous version has revoked, after a return to it, opens nothing; an account whose name that
// version cut short has one access, too.
test('a desktop that the version before has revoked', async () => {
  await using database = await testDatabase();
  await asTheVersionBefore(database.url);
  await using api = await startTestApi({ databaseUrl: database.url, workers: [] });
  await whenInUse(api);
  const { port } = api;
  const status = async (as: string) => (await call(port, accountHttp.me, { as })).status;
  expect(await status(oldKey)).toBe(200);
  await using sql = await sqlSession(database.url);
  await sql.query(`delete from api_keys where id = 'oldkey'`);
  expect(await status(oldKey)).toBe(401);
  const nonce = 'n'.repeat(22);
  const proof = { ...apiKeysHttp.prove, path: `/api/api-keys/oldkey/proof?nonce=${nonce}` };
  expect((await call(port, proof)).status).toBe(401);
  const { rows } = (await call(port, desktopAccessHttp.list, { as: testDesktopCredential })).json;
  expect((rows as { id: string }[]).map(({ id }) => id)).toEqual(['longname']);

  expect(await status(`cst_longname_${oldSecret}`)).toBe(200);
  const renewed = await call(port, desktopAccessHttp.create, {
    as: testDesktopCredential,
    body: { user: 'l'.repeat(60) },
  });
  expect(await status(`cst_longname_${oldSecret}`)).toBe(401);
  expect(await status(String(renewed.json.credential))).toBe(200);
});

// Guarantee: only the machine itself lets a desktop in; an account has one access, and an owner can take it away.
test('letting a desktop in', async () => {
  await using database = await apiDatabase();
  await using api = await startTestApi({ databaseUrl: database.url, workers: [] });
  await whenInUse(api);
  const { port } = api;
  const letIn = (as: string) => call(port, desktopAccessHttp.create, { as, body: { user: 'Ana' } });
  const owner = await person(port, { role: 'owner' });
  expect((await letIn(owner.token)).json.code).toBe('FORBIDDEN');
  const first = String((await letIn(testDesktopCredential)).json.credential);
  const second = String((await letIn(testDesktopCredential)).json.credential);
  const me = (as: string) => call(port, accountHttp.me, { as });
  expect((await me(first)).status).toBe(401);
  expect((await me(second)).json).toMatchObject({ kind: 'desktop', id: 'Ana', account: null });
  expect((await me(`${second.slice(0, -1)}${second.endsWith('A') ? 'B' : 'A'}`)).status).toBe(401);
  const { rows } = (await call(port, desktopAccessHttp.list, { as: owner.token })).json;
  const [{ id } = { id: '' }] = rows as { id: string }[];
  expect(rows).toMatchObject([{ user: 'Ana' }]);
  expect((await call(port, desktopAccessHttp.revoke, { as: owner.token, params: { id } })).status).toBe(200);
  expect((await me(second)).status).toBe(401);
});
