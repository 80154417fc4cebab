import { expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import type { Permission } from '#contracts/identity/permissions.ts';
import type { EndpointBody } from '#contracts/kernel/http.ts';
import { keyProofBySecret } from '#runtime/api-key-proof.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { ask } from '../../kernel/testing/ask.ts';
import {
  type AdminEdit,
  call,
  changeAdmin,
  customRole,
  newApiKey,
  newServer,
  person,
} from '../../kernel/testing/call.ts';
import { sqlSession } from '../../kernel/testing/sql.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { narrow } from './api-key-credential.ts';

const running = apiForThisFile();
const me = (as: string) => call(running().port, accountHttp.me, { as });
const create = (as: string, body: Partial<EndpointBody<(typeof apiKeysHttp)['create']>>) =>
  call(running().port, apiKeysHttp.create, {
    as,
    body: { name: 'a key', permissions: ['events.read'], expiresInDays: 1, ...body },
  });

const powers = (everywhere: Permission[], servers: Record<string, Permission[]> = {}) => ({
  permissions: new Set(everywhere),
  serverPermissions: new Map(Object.entries(servers).map(([id, names]) => [id, new Set(names)])),
});

// Guarantee: a key may do what it names out of what its creator may do, on the servers that it is for, and nothing beyond.
test('the scope of a key', () => {
  const creator = powers(['events.read', 'console.read'], { s1: ['console.write'], s2: ['console.write'] });
  const scope = (permissions: Permission[], server_ids: string[] | null = null) =>
    narrow(creator, { permissions, server_ids });
  expect(scope(['events.read', 'settings.write'])).toEqual(powers(['events.read'], { s1: [], s2: [] }));
  expect(scope(['console.read', 'console.write'])).toEqual(
    powers(['console.read'], {
      s1: ['console.read', 'console.write'],
      s2: ['console.read', 'console.write'],
    }),
  );
  expect(scope(['events.read', 'console.read', 'console.write'], ['s1', 's9'])).toEqual(
    powers(['events.read'], { s1: ['console.read', 'console.write'], s9: ['console.read'] }),
  );
});

// Guarantee: a key is shown once, kept as a hash, acts under its own name, and no longer does once it is revoked or has expired.
test('the life of a key', async () => {
  const { port, databaseUrl } = running();
  const { token, id: creatorId } = await person(port, { role: 'owner' });
  const { key, id } = await newApiKey(port, token, {
    name: 'metrics',
    permissions: ['metrics.read'],
    expiresInDays: 30,
  });
  expect(key).toMatch(new RegExp(`^cst_${id}_[\\w-]{43}$`));
  expect((await me(key)).json).toMatchObject({
    kind: 'api-key',
    id,
    name: 'metrics',
    permissions: ['metrics.read'],
  });
  expect((await me(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)).status).toBe(401);

  await using sql = await sqlSession(databaseUrl);
  const [row] = await sql.query<{ text: string }>(
    'select api_keys::text as text from api_keys where id = $1',
    [id],
  );
  expect(row?.text).not.toContain(key.slice(-43));
  const list = await call(port, apiKeysHttp.list, { as: token });
  expect(list.text).not.toContain(key.slice(-43));
  expect(list.json.rows).toContainEqual(
    expect.objectContaining({ id, creatorId, lastUsedAt: expect.any(String), permissions: ['metrics.read'] }),
  );

  await sql.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [id]);
  expect((await me(key)).status).toBe(401);
  await sql.query(`update api_keys set expires_at = now() + interval '1 day' where id = $1`, [id]);
  expect((await me(key)).status).toBe(200);
  expect((await call(port, apiKeysHttp.revoke, { as: token, params: { id } })).status).toBe(200);
  expect((await me(key)).status).toBe(401);
  const audit = await sql.query('select action, actor from audit_logs where target = $1 order by id', [
    `api-key:${id}`,
  ]);
  expect(audit.map(({ action }) => action)).toEqual(['api-keys.create', 'api-keys.revoke']);
});

// Guarantee: the holder of a key can tell the API that knows it from anything else that answers, without a credential
// and without learning about other keys; a key that opens nothing is proven to no one.
test('proving that a key is known', async () => {
  const { port } = running();
  const { token } = await person(port, { role: 'owner' });
  const { key, id } = await newApiKey(port, token, {
    name: 'k',
    permissions: ['events.read'],
    expiresInDays: 1,
  });
  const prove = (of: string, nonce: string) => ask(port, `/api/api-keys/${of}/proof?nonce=${nonce}`);
  const secret = key.slice(-43);
  const nonces = ['n'.repeat(22), 'm'.repeat(64)];
  for (const nonce of nonces)
    expect((await prove(id, nonce)).json).toEqual({ proof: keyProofBySecret(secret, nonce) });
  expect(new Set(nonces.map((nonce) => keyProofBySecret(secret, nonce))).size).toBe(2);
  expect((await prove(id, 'short')).status).toBe(400);
  expect((await prove('nosuchkey', 'n'.repeat(22))).status).toBe(401);
  await call(port, apiKeysHttp.revoke, { as: token, params: { id } });
  expect((await prove(id, 'n'.repeat(22))).json).toMatchObject({ code: 'UNAUTHENTICATED' });
});

// Guarantee: a key is worth as much as its creator at that moment: it is demoted with them, and ends with them.
test('the creator changes', async () => {
  const { port } = running();
  const creator = await person(port, {
    role: await customRole(port, ['api-keys.write', 'events.read', 'logs.read']),
  });
  const { key } = await newApiKey(port, creator.token, {
    name: 'a key',
    permissions: ['events.read', 'logs.read'],
    expiresInDays: 365,
  });
  const change = (edit: AdminEdit) => changeAdmin(port, { as: testDesktopCredential, id: creator.id, edit });
  await change({ role: await customRole(port, ['events.read']) });
  expect((await me(key)).json.permissions).toEqual(['events.read']);
  await change({ disabled: true });
  expect((await me(key)).status).toBe(401);
  await call(port, adminsHttp.remove, { as: testDesktopCredential, params: { id: creator.id } });
  expect((await me(key)).status).toBe(401);
});

// Guarantee: no one creates a key for more than they hold, without an expiry, or with another key.
test('refused keys', async () => {
  const { port } = running();
  const [one, other] = [await newServer(port), await newServer(port)];
  const { token } = await person(port, {
    role: await customRole(port, ['api-keys.write', 'events.read']),
    serverGrants: [{ serverId: one, role: 'moderator' }],
  });
  expect((await create(token, { permissions: ['logs.read'] })).json.code).toBe('FORBIDDEN');
  expect((await create(token, { permissions: ['console.read'] })).json.code).toBe('FORBIDDEN');
  expect((await create(token, { permissions: ['console.read'], serverIds: [other] })).json.code).toBe(
    'FORBIDDEN',
  );
  expect((await create(token, { permissions: ['console.read'], serverIds: [one] })).status).toBe(200);
  const unknown = await create(testDesktopCredential, {
    permissions: ['console.read'],
    serverIds: [one, 'nowhere'],
  });
  expect([unknown.status, unknown.json.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(unknown.json.detail).toContain('body.serverIds.1');
  for (const expiresInDays of [0, 366]) expect((await create(token, { expiresInDays })).status).toBe(400);
  const { key } = await newApiKey(port, token, {
    name: 'a key',
    permissions: ['api-keys.write'],
    expiresInDays: 1,
  });
  expect((await create(key, { permissions: ['api-keys.write'] })).json.code).toBe('PERSON_REQUIRED');
});

// Guarantee: the owner of the machine can create one, too, as the desktop does for its service mode.
test('a key of the desktop', async () => {
  const made = await create(testDesktopCredential, { permissions: ['admins.write'] });
  expect(made.json.apiKey).toMatchObject({ creatorId: null });
  expect((await me(String(made.json.key))).json.permissions).toEqual(['admins.write']);
});
