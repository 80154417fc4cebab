import { expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { type Admin, adminsHttp } from '#contracts/identity/admins.ts';
import type { EndpointBody } from '#contracts/kernel/http.ts';
import { healthHttp } from '#contracts/operations/health.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import {
  type AdminEdit,
  call,
  changeAdmin,
  customRole,
  newServer,
  person,
  signIn,
} from '../../kernel/testing/call.ts';
import { sqlSession } from '../../kernel/testing/sql.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';

const running = apiForThisFile();
const create = (as: string, body: EndpointBody<(typeof adminsHttp)['create']>) =>
  call(running().port, adminsHttp.create, { as, body });
const change = (as: string, id: string, edit: AdminEdit) => changeAdmin(running().port, { as, id, edit });
const me = (as: string) => call(running().port, accountHttp.me, { as });
const password = 'a password of some length';

// Guarantee: no one gives, takes or changes more than they hold, whichever way they try.
test('no escalation', async () => {
  const { port } = running();
  const held = ['admins.read', 'admins.write', 'events.read', 'players.read'] as const;
  const { token, id } = await person(port, { role: await customRole(port, [...held]) });
  const owner = await person(port, { role: 'owner' });
  const weak = await person(port, { role: await customRole(port, ['events.read']) });
  const refusals = [
    await create(token, { name: 'x1', password, role: 'owner' }),
    await create(token, { name: 'x2', password, role: 'viewer' }),
    await create(token, {
      name: 'x3',
      password,
      role: null,
      serverGrants: [{ serverId: 's', role: 'owner' }],
    }),
    await change(token, id, { role: 'owner' }),
    await change(token, weak.id, { role: 'admin' }),
    await change(token, weak.id, { serverGrants: [{ serverId: 's', role: 'moderator' }] }),
    await change(token, owner.id, { disabled: true }),
    await change(token, owner.id, { name: 'renamed' }),
    await call(port, adminsHttp.remove, { as: token, params: { id: owner.id } }),
    await call(port, adminsHttp.endSessions, { as: token, params: { id: owner.id } }),
    await call(port, adminsHttp.resetPassword, { as: token, params: { id: owner.id }, body: { password } }),
    // A stolen session must not be enough to keep the account.
    await call(port, adminsHttp.resetPassword, { as: token, params: { id }, body: { password } }),
  ];
  for (const { status, json } of refusals) expect([status, json.code]).toEqual([403, 'FORBIDDEN']);
  expect((await change(token, weak.id, { disabled: true })).json).toMatchObject({ disabled: true });
  expect((await create(token, { name: 'x4', password, role: 'no-such-role' })).status).toBe(400);
});

// Guarantee: a change of an admin's permissions applies to the next request; a disabled or removed admin is out immediately.
test('changes take effect at once', async () => {
  const { port } = running();
  const someone = await person(port, { role: 'moderator' });
  const serverId = await newServer(port);
  const permissions = async () => (await me(someone.token)).json.permissions as string[];
  expect(await permissions()).toContain('console.write');
  await change(testDesktopCredential, someone.id, {
    role: null,
    serverGrants: [{ serverId, role: 'moderator' }],
  });
  expect((await me(someone.token)).json).toMatchObject({
    permissions: [],
    serverPermissions: { [serverId]: expect.arrayContaining(['console.write']) },
  });
  // A holder of an open connection for them is notified, and checks its actor again.
  const { identity } = running().api.context;
  const sessionId = ((await me(someone.token)).json.account as { sessionId: string }).sessionId;
  const actor = {
    kind: 'admin',
    id: someone.id,
    name: someone.name,
    sessionId,
    permissions: new Set<never>(),
    serverPermissions: new Map<string, never>(),
  } as const;
  expect(await identity.refresh(actor)).toMatchObject({ id: someone.id, sessionId });
  let heard = 0;
  const stopListening = identity.changes.subscribe(() => {
    heard += 1;
  });
  await change(testDesktopCredential, someone.id, { disabled: true });
  stopListening();
  expect(heard).toBe(1);
  expect(await identity.refresh(actor)).toBeNull();
  expect((await me(someone.token)).status).toBe(401);
  // After enabling again, the old sessions stay ended.
  await change(testDesktopCredential, someone.id, { disabled: false });
  expect((await me(someone.token)).status).toBe(401);
  const token = await signIn(port, someone.name, someone.password);
  await call(port, adminsHttp.remove, { as: testDesktopCredential, params: { id: someone.id } });
  expect((await me(token)).status).toBe(401);
});

// Guarantee: the list of an admin's sessions marks the caller's own session, and only that one.
test('the session that asks is marked', async () => {
  const { port } = running();
  const owner = await person(port, { role: 'owner' });
  const other = await person(port, { role: 'viewer' });
  const marks = async (id: string) => {
    const { json } = await call(port, adminsHttp.sessions, { as: owner.token, params: { id } });
    return (json.rows as { current: boolean }[]).map(({ current }) => current);
  };
  await signIn(port, owner.name, owner.password);
  expect((await marks(owner.id)).sort()).toEqual([false, true]);
  expect(await marks(other.id)).toEqual([false]);
});

// Guarantee: however many owners are removed at the same moment, and in whichever way, one who can sign in remains.
test('an owner remains', async () => {
  const { port, databaseUrl } = running();
  const owners = await Promise.all(Array.from({ length: 6 }, () => person(port, { role: 'owner' })));
  const as = testDesktopCredential;
  const all = (await call(port, adminsHttp.list, { as })).json.rows as {
    id: string;
    role: string;
    disabled: boolean;
  }[];
  const ids = all.filter(({ role, disabled }) => role === 'owner' && !disabled).map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(owners.length);
  const answers = await Promise.all(
    ids.map((id, index) => {
      if (index % 3 === 0) return change(as, id, { disabled: true });
      if (index % 3 === 1) return change(as, id, { role: 'viewer' });
      return call(port, adminsHttp.remove, { as, params: { id } });
    }),
  );
  expect(answers.filter(({ json }) => json.code === 'LAST_OWNER')).toHaveLength(1);
  await using sql = await sqlSession(databaseUrl);
  const left = await sql.query(`select id from admins where role = 'owner' and not disabled`);
  expect(left).toHaveLength(1);
});

// Guarantee: a password reset ends all sessions, and two-step sign-in when requested; the audit names who did it, and no password.
test('password reset', async () => {
  const { port, databaseUrl } = running();
  const someone = await person(port, { role: 'viewer' });
  const reset = await call(port, adminsHttp.resetPassword, {
    as: testDesktopCredential,
    params: { id: someone.id },
    body: { password: 'the new password', clearTotp: true },
  });
  expect(reset.json).toMatchObject({ id: someone.id, totp: false });
  expect((await me(someone.token)).status).toBe(401);
  await signIn(port, someone.name, 'the new password');
  await using sql = await sqlSession(databaseUrl);
  const [row] = await sql.query(
    `select actor, actor_name, target, address, audit_logs::text as text from audit_logs
      where action = 'admins.reset-password' and target = $1`,
    [`admin:${someone.id}`],
  );
  expect(row).toMatchObject({ actor: 'desktop:tester', address: '127.0.0.1' });
  expect(row?.text).not.toContain('the new password');
});

// Guarantee: the owner of the machine gets in only by the supervisor's credential, and without a session.
test('the desktop', async () => {
  expect((await me(testDesktopCredential)).json).toMatchObject({
    kind: 'desktop',
    id: 'tester',
    account: null,
  });
  expect((await me(testDesktopCredential.slice(0, -1))).status).toBe(401);
  const afar = await call(running().port, healthHttp.stack, { headers: { Via: '1.1 proxy' } });
  expect(afar.status).toBe(401);
});

// Guarantee: of several changes from one version one wins, no matter what each of them changes; the others are refused,
// change nothing and leave no audit row. A client that reads again can change again.
test('two who change one admin', async () => {
  const { port, databaseUrl } = running();
  const as = testDesktopCredential;
  const { id, name } = await person(port, { role: 'viewer' });
  const serverId = await newServer(port);
  const edits: AdminEdit[] = [
    { role: 'moderator' },
    { serverGrants: [{ serverId, role: 'moderator' }] },
    { name: `${name} anew` },
    { disabled: true },
  ];
  const read = async () => {
    const { json } = await call(port, adminsHttp.list, { as });
    return (json.rows as Admin[]).find((admin) => admin.id === id);
  };
  const before = await read();
  expect(before?.version).toBe(1);
  const answers = await Promise.all(
    edits.map((edit) => call(port, adminsHttp.change, { as, params: { id }, body: { version: 1, ...edit } })),
  );
  const won = answers.findIndex(({ status }) => status === 200);
  const conflicts = answers.filter(({ status, json }) => status === 409 && json.code === 'CONFLICT');
  expect(conflicts).toHaveLength(edits.length - 1);
  expect(answers[won]?.json).toEqual({ ...before, ...edits[won], version: 2 });
  expect(await read()).toEqual(answers[won]?.json);
  await using sql = await sqlSession(databaseUrl);
  const audited = await sql.query(`select from audit_logs where action = 'admins.change' and target = $1`, [
    `admin:${id}`,
  ]);
  expect(audited).toHaveLength(1);
  expect((await change(as, id, { role: 'moderator' })).json).toMatchObject({ role: 'moderator', version: 3 });
  // From a version that does not exist yet, nothing is changed either.
  const ahead = await call(port, adminsHttp.change, { as, params: { id }, body: { version: 4, role: null } });
  expect(ahead.json.code).toBe('CONFLICT');
});

// Guarantee: every change leaves one audit row, and a refused one none.
test('audit', async () => {
  const { port, databaseUrl } = running();
  await using sql = await sqlSession(databaseUrl);
  const count = async () => (await sql.query('select from audit_logs')).length;
  const someone = await person(port, { role: 'viewer' });
  const before = await count();
  await change(testDesktopCredential, someone.id, { name: `${someone.name} anew` });
  expect(await count()).toBe(before + 1);
  await change(testDesktopCredential, someone.id, { role: 'no-such-role' });
  await create(testDesktopCredential, { name: `${someone.name} anew`, password, role: null });
  await call(port, adminsHttp.remove, { as: someone.token, params: { id: someone.id } });
  expect(await count()).toBe(before + 1);
  const [row] = await sql.query(
    `select before, after from audit_logs where action = 'admins.change' order by id desc limit 1`,
  );
  expect(row).toMatchObject({ before: { name: someone.name }, after: { name: `${someone.name} anew` } });
});

// Guarantee: nothing is granted for a server that does not exist, and trying it changes nothing.
test('grants for unknown servers', async () => {
  const { port } = running();
  const someone = await person(port, { role: 'viewer' });
  const serverId = await newServer(port);
  const serverGrants = [
    { serverId, role: 'moderator' },
    { serverId: 'nowhere', role: 'moderator' },
  ];
  for (const refused of [
    await create(testDesktopCredential, { name: 'x9', password, role: null, serverGrants }),
    await change(testDesktopCredential, someone.id, { name: 'other', serverGrants }),
  ]) {
    expect([refused.status, refused.json.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(refused.json.detail).toContain('body.serverGrants.1.serverId');
  }
  expect((await me(someone.token)).json).toMatchObject({ name: someone.name, serverPermissions: {} });
});
