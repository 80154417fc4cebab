import { expect, test } from 'vitest';
import { botHttp } from '#contracts/discord/bot.ts';
import { discordRightsHttp, ownDiscordHttp } from '#contracts/discord/discord-rights.ts';
import {
  decodeDiscordUser,
  discordUserHeader,
  discordUsersHttp,
  encodeDiscordUser,
} from '#contracts/discord/discord-users.ts';
import { accountHttp } from '#contracts/identity/account.ts';
import { adminsHttp } from '#contracts/identity/admins.ts';
import type { DiscordUserPermission, Permission } from '#contracts/identity/permissions.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, changeAdmin, customRole, newServer, person, signIn } from '../../kernel/testing/call.ts';
import { asDiscord } from '../../kernel/testing/discord-user.ts';
import { testBotSecret, testDesktopCredential } from '../../kernel/testing/test-api.ts';

const running = apiForThisFile();
const port = () => running().port;
const db = () => running().api.context.database.db;

let people = 0;
const newDiscordId = () => {
  people += 1;
  return String(100_000_000_000_000_000n + BigInt(people));
};
const permissionsOf = async (user: Parameters<typeof asDiscord>[0]) =>
  (await call(port(), discordUsersHttp.me, asDiscord(user))).json.permissions;
const codeOf = async (token: string) =>
  String((await call(port(), ownDiscordHttp.code, { as: token })).json.code);
const redeem = (id: string, code: string, name = 'Ada') =>
  call(port(), discordUsersHttp.link, { ...asDiscord({ id, name }), body: { code } });
const linkedAdmin = async (role: string | null, serverGrants: { serverId: string; role: string }[] = []) => {
  const admin = await person(port(), { role, serverGrants });
  const id = newDiscordId();
  expect((await redeem(id, await codeOf(admin.token))).json).toEqual({ linked: 'admin', name: admin.name });
  return { ...admin, discordId: id };
};
const map = (id: string, permissions: DiscordUserPermission[], as = testDesktopCredential, name = 'Staff') =>
  call(port(), discordRightsHttp.set, { as, params: { id }, body: { name, permissions } });
const audit = (action: string, target: string) =>
  db()
    .selectFrom('audit_logs')
    .selectAll()
    .where('action', '=', action)
    .where('target', '=', target)
    .execute();

// Guarantee: a name with any letters arrives, and something that is not a person is never treated as the bot itself.
test('the header', async () => {
  const user = { id: newDiscordId(), name: 'Жук 🐞 \u202e<@1>\ud800', roleIds: [] };
  expect(decodeDiscordUser(encodeDiscordUser(user))).toEqual({ ...user, name: user.name.toWellFormed() });
  for (const header of ['', '{}', '%', encodeDiscordUser({ ...user, id: 'x' })]) {
    const answer = await call(port(), botHttp.settings, {
      as: testBotSecret,
      headers: { [discordUserHeader]: header },
    });
    expect(answer.json.code, header).toBe('INVALID_REQUEST');
  }
  const { token } = await person(port(), { role: 'viewer' });
  const stranger = await call(port(), discordUsersHttp.me, { ...asDiscord(user), as: token });
  expect(stranger).toMatchObject({ status: 403, json: { code: 'FORBIDDEN' } });
  expect((await call(port(), discordUsersHttp.me, { as: testBotSecret })).status).toBe(403);
});

// Guarantee: an admin's Discord account may do what the admin may do at this moment, and never more than the bot's list.
test('a linked admin', async () => {
  expect(await permissionsOf({ id: newDiscordId() })).toEqual([]);
  const owner = await linkedAdmin('owner');
  expect(await permissionsOf({ id: owner.discordId })).toEqual([
    'players.read',
    'players.write',
    'console.write',
    'servers.power',
  ]);
  const serverId = await newServer(port());
  const other = await newServer(port());
  const some = await linkedAdmin(null, [{ serverId, role: 'moderator' }]);
  const run = (id: string) =>
    call(port(), consoleHttp.run, {
      ...asDiscord({ id: some.discordId, name: 'Grace' }),
      body: { serverIds: [id], command: 'list' },
    });
  expect((await run(other)).json.code).toBe('FORBIDDEN');
  expect((await run(serverId)).status).toBe(200);
  const [row] = await db()
    .selectFrom('audit_logs')
    .selectAll()
    .where('action', '=', 'console.run')
    .where('actor', '=', `discord:${some.discordId}`)
    .execute();
  expect(row).toMatchObject({ actor_name: 'Grace' });
  await changeAdmin(port(), { as: testDesktopCredential, id: some.id, edit: { disabled: true } });
  expect((await run(serverId)).json.code).toBe('FORBIDDEN');
});

// Guarantee: a code is shown after a step-up, works once, is kept as a digest, and guessing it is limited.
test('the code of an admin', async () => {
  const admin = await person(port(), { role: 'moderator' });
  const fresh = await signIn(port(), admin.name, admin.password);
  const refused = await call(port(), ownDiscordHttp.code, { as: fresh });
  expect(refused.json.code).toBe('STEP_UP_REQUIRED');
  const first = await codeOf(admin.token);
  const code = await codeOf(admin.token);
  expect(code).toMatch(/^\w{4}-\w{4}-\w{4}$/);
  const rows = await db().selectFrom('discord_admin_codes').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''));
  const id = newDiscordId();
  expect((await redeem(id, first)).json.code).toBe('LINK_CODE_INVALID');
  expect((await redeem(id, code.toLowerCase())).json).toEqual({ linked: 'admin', name: admin.name });
  expect((await redeem(newDiscordId(), code)).json.code).toBe('LINK_CODE_INVALID');
  expect((await call(port(), ownDiscordHttp.read, { as: admin.token })).json.linked).toMatchObject({
    discordId: id,
    discordName: 'Ada',
  });
  expect(await audit('admins.link-discord', `admin:${admin.id}`)).toMatchObject([
    { actor: `discord:${id}`, after: { discordId: id, discordName: 'Ada' } },
  ]);

  const guesser = newDiscordId();
  const guesses: unknown[] = [];
  for (let guess = 0; guess < 6; guess += 1)
    guesses.push((await redeem(guesser, 'AAAA-BBBB-CCCC')).json.code);
  expect(guesses).toEqual([...Array<string>(5).fill('LINK_CODE_INVALID'), 'RATE_LIMITED']);
  await codeOf(admin.token);
  await db()
    .updateTable('discord_admin_codes')
    .set({ expires_at: new Date(0) })
    .execute();
  const late = await codeOf(admin.token);
  await db()
    .updateTable('discord_admin_codes')
    .set({ expires_at: new Date(0) })
    .execute();
  expect((await redeem(newDiscordId(), late)).json.code).toBe('LINK_CODE_INVALID');
});

// Guarantee: a person has one account on each side; a link ends from either side and with a new password.
test('the end of a link', async () => {
  const [one, two] = [await linkedAdmin('moderator'), await linkedAdmin('moderator')];
  await redeem(one.discordId, await codeOf(two.token));
  const linkOf = async (token: string) =>
    (await call(port(), ownDiscordHttp.read, { as: token })).json.linked;
  expect(await linkOf(one.token)).toBeNull();
  expect(await linkOf(two.token)).toMatchObject({ discordId: one.discordId });
  expect(await permissionsOf({ id: two.discordId })).toEqual([]);
  const gone = await call(port(), discordUsersHttp.unlink, asDiscord({ id: one.discordId }));
  expect(gone.json).toEqual({ unlinked: ['admin'] });
  await redeem(one.discordId, await codeOf(one.token));
  await call(port(), ownDiscordHttp.unlink, { as: one.token });
  expect(await permissionsOf({ id: one.discordId })).toEqual([]);
  await redeem(one.discordId, await codeOf(one.token));
  const reset = await call(port(), adminsHttp.resetPassword, {
    as: testDesktopCredential,
    params: { id: one.id },
    body: { password: 'another password 17' },
  });
  expect(reset.status, reset.text).toBe(200);
  expect(await permissionsOf({ id: one.discordId })).toEqual([]);

  const three = await linkedAdmin('moderator');
  const code = await codeOf(three.token);
  const body = { currentPassword: three.password, newPassword: 'another password 18' };
  expect((await call(port(), accountHttp.changePassword, { as: three.token, body })).status).toBe(200);
  expect(await permissionsOf({ id: three.discordId })).toEqual([]);
  expect((await redeem(newDiscordId(), code)).json.code).toBe('LINK_CODE_INVALID');
});

// Guarantee: a mapped role gives what it was mapped to; mapping requires a person who has just confirmed to be there,
// is audited, and no one gives more than they hold, or anything about admins, keys, settings or secrets.
test('mapped roles', async () => {
  const roleId = newDiscordId();
  const user = { id: newDiscordId(), roleIds: [roleId, newDiscordId()] };
  expect((await map(roleId, ['players.write'])).status).toBe(200);
  expect(await permissionsOf(user)).toEqual(['players.write']);
  const holder = await linkedAdmin('viewer');
  expect(await permissionsOf({ ...user, id: holder.discordId })).toEqual(['players.read', 'players.write']);
  const all = await call(port(), discordRightsHttp.list, { as: testDesktopCredential });
  expect(all.json).toEqual({
    rows: [{ discordRoleId: roleId, name: 'Staff', permissions: ['players.write'] }],
    roles: null,
  });

  for (const beyond of ['settings.write', 'admins.write', 'api-keys.write', 'secrets.read', 'bot.report'])
    expect((await map(roleId, [beyond as DiscordUserPermission])).json.code).toBe('INVALID_REQUEST');
  const rights: Permission[] = ['admins.read', 'admins.write', 'players.read'];
  const lesser = await person(port(), { role: await customRole(port(), rights) });
  expect((await map(newDiscordId(), ['console.write'], lesser.token)).json.code).toBe('FORBIDDEN');
  // They may not change what is there already.
  expect((await map(roleId, ['players.read'], lesser.token)).json.code).toBe('FORBIDDEN');
  const fresh = await signIn(port(), lesser.name, lesser.password);
  expect((await map(newDiscordId(), ['players.read'], fresh)).json.code).toBe('STEP_UP_REQUIRED');
  const removed = await call(port(), discordRightsHttp.remove, { as: lesser.token, params: { id: roleId } });
  expect(removed.json.code).toBe('FORBIDDEN');

  await call(port(), discordRightsHttp.remove, { as: testDesktopCredential, params: { id: roleId } });
  expect(await permissionsOf(user)).toEqual([]);
  const target = `discord-role:${roleId}`;
  expect(await audit('discord.map-role', target)).toMatchObject([
    { actor: 'desktop:tester', before: null, after: { name: 'Staff', permissions: ['players.write'] } },
  ]);
  expect(await audit('discord.unmap-role', target)).toHaveLength(1);
});

// Guarantee: two codes that are created, or typed, at the same moment cause no error: one of each holds.
test('codes at the same moment', async () => {
  const one = await person(port(), { role: 'viewer' });
  const other = await person(port(), { role: 'viewer' });
  const made = await Promise.all(Array.from({ length: 3 }, () => codeOf(one.token)));
  const discordId = newDiscordId();
  const typed = await Promise.all(made.map((code) => redeem(discordId, code)));
  expect(new Set(typed.map(({ status, json }) => json.code ?? status))).toEqual(
    new Set(['LINK_CODE_INVALID', 200]),
  );
  for (let round = 0; round < 5; round += 1) {
    const account = newDiscordId();
    const codes = await Promise.all([codeOf(one.token), codeOf(other.token)]);
    const both = await Promise.all(codes.map((code) => redeem(account, code)));
    expect(both.map(({ status, text }) => [status, text])).toEqual(both.map(({ text }) => [200, text]));
    const links = await db()
      .selectFrom('discord_admins')
      .selectAll()
      .where('discord_id', '=', account)
      .execute();
    expect(links).toHaveLength(1);
  }
});
