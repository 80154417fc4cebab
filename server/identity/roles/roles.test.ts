import { expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { adminsHttp } from '#contracts/identity/admins.ts';
import type { Permission } from '#contracts/identity/permissions.ts';
import { type Role, rolesHttp } from '#contracts/identity/roles.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, changeAdmin, changeRole, customRole, newServer, person } from '../../kernel/testing/call.ts';
import { sqlSession } from '../../kernel/testing/sql.ts';
import { testDesktopCredential as as } from '../../kernel/testing/test-api.ts';

const running = apiForThisFile();
const change = (token: string, id: string, permissions: Permission[], name = 'a role') =>
  changeRole(running().port, { as: token, id, edit: { name, permissions } });
const remove = (token: string, id: string) =>
  call(running().port, rolesHttp.remove, { as: token, params: { id } });

// Guarantee: the built-in roles come first, match the program, and cannot be changed.
test('built-in roles', async () => {
  const rows = (await call(running().port, rolesHttp.list, { as })).json.rows as {
    id: string;
    builtIn: boolean;
  }[];
  expect(rows.slice(0, 4).map(({ id }) => id)).toEqual(['owner', 'admin', 'moderator', 'viewer']);
  expect(rows.slice(0, 4).every(({ builtIn }) => builtIn)).toBe(true);
  expect((await change(as, 'viewer', [])).json.code).toBe('FORBIDDEN');
  expect((await remove(as, 'viewer')).json.code).toBe('FORBIDDEN');
  expect(
    (await call(running().port, rolesHttp.create, { as, body: { name: 'OWNER', permissions: [] } })).json
      .code,
  ).toBe('NAME_TAKEN');
});

// Guarantee: a changed role applies to its holders' next request; one that is held cannot be removed.
test('a changed role', async () => {
  const { port } = running();
  const id = await customRole(port, ['events.read']);
  const someone = await person(port, { role: id });
  await change(as, id, ['events.read', 'logs.read']);
  const me = await call(port, accountHttp.me, { as: someone.token });
  expect(me.json.permissions).toEqual(['logs.read', 'events.read']);
  expect((await remove(as, id)).json.code).toBe('ROLE_IN_USE');
  await changeAdmin(port, {
    as,
    id: someone.id,
    edit: { role: null, serverGrants: [{ serverId: await newServer(port), role: id }] },
  });
  expect((await remove(as, id)).json.code).toBe('ROLE_IN_USE');
  await call(port, adminsHttp.remove, { as, params: { id: someone.id } });
  expect((await remove(as, id)).status).toBe(200);
  expect((await remove(as, id)).status).toBe(404);
});

// Guarantee: of several changes from one version one wins; the others are refused, change nothing and leave no audit row.
// After reading again, they can change it.
test('two who change one role', async () => {
  const { port, databaseUrl } = running();
  const id = await customRole(port, ['events.read']);
  const read = async () => {
    const { json } = await call(port, rolesHttp.list, { as });
    return (json.rows as Role[]).find((role) => role.id === id);
  };
  const version = (await read())?.version ?? 0;
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => {
      const body = { version, name: `wanted ${index}`, permissions: ['logs.read' as const] };
      return call(port, rolesHttp.change, { as, params: { id }, body });
    }),
  );
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  const conflicts = answers.filter(({ status, json }) => status === 409 && json.code === 'CONFLICT');
  expect(conflicts).toHaveLength(answers.length - 1);
  expect(await read()).toEqual(won[0]?.json);
  expect(won[0]?.json).toMatchObject({ permissions: ['logs.read'], version: version + 1 });
  await using sql = await sqlSession(databaseUrl);
  const audited = await sql.query(`select from audit_logs where action = 'roles.change' and target = $1`, [
    `role:${id}`,
  ]);
  expect(audited).toHaveLength(1);
  expect((await change(as, id, ['events.read'], 'the later one')).status).toBe(200);
});

// Guarantee: a role is no way to get more than one holds, nor to take more from others; no one can hold what is reserved for the bot.
test('no escalation by roles', async () => {
  const { port } = running();
  const { token } = await person(port, {
    role: await customRole(port, ['admins.read', 'admins.write', 'events.read']),
  });
  const strong = await customRole(port, ['logs.read']);
  const weak = await customRole(port, ['events.read']);
  const make = (permissions: Permission[]) =>
    call(port, rolesHttp.create, { as: token, body: { name: 'mine', permissions } });
  expect((await make(['logs.read'])).json.code).toBe('FORBIDDEN');
  expect((await change(token, strong, [])).json.code).toBe('FORBIDDEN');
  expect((await change(token, weak, ['logs.read'])).json.code).toBe('FORBIDDEN');
  expect((await remove(token, strong)).json.code).toBe('FORBIDDEN');
  expect((await make(['events.read'])).status).toBe(200);
  const machine = await call(port, rolesHttp.create, {
    as,
    body: { name: 'bot', permissions: ['bot.report'] },
  });
  expect(machine.json.code).toBe('FORBIDDEN');
});
