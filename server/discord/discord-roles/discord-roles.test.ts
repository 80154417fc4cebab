import { expect, test } from 'vitest';
import { type BotReport, botHttp } from '#contracts/discord/bot.ts';
import { discordRightsHttp } from '#contracts/discord/discord-rights.ts';
import { discordRolesHttp, type RolePreview } from '#contracts/discord/discord-roles.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { call, customRole, newServer, person, signIn } from '../../kernel/testing/call.ts';
import { testBotSecret } from '../../kernel/testing/test-api.ts';
import {
  asOwner,
  create,
  db,
  made,
  newPerson,
  newPlayer,
  next,
  ofRole,
  otherId,
  owed,
  port,
  roleId,
  round,
  switchOn,
  take,
  tellMembers,
  tellRoles,
} from './testing/roles-of-a-test.ts';

// Guarantee: a role that has become dangerous, or that now has permissions in Castellan, is no longer given, whatever the rules say.
test('a role that has become powerful', async () => {
  const ada = await newPerson();
  await newPlayer(ada.memberId);
  const id = await switchOn({ ...ofRole, kind: 'linked' });
  await tellRoles('role-dangerous');
  expect(await take()).toEqual([]);
  await tellRoles();
  await db()
    .insertInto('discord_role_rights')
    .values({ discord_role_id: roleId, name: 'Veteran', permissions: ['players.read'] })
    .execute();
  expect(await take()).toEqual([]);
  const { json } = await call(port(), discordRolesHttp.list, asOwner);
  expect(json.rules).toMatchObject([{ id, obstacle: 'role-has-rights' }]);
  const product = {
    name: 'Rights',
    price: 0,
    game: 'minecraft' as const,
    lines: [{ kind: 'role' as const, ...ofRole }],
  };
  const refused = await call(port(), storeHttp.create, { ...asOwner, body: product });
  expect(refused.json).toMatchObject({
    code: 'PRODUCT_INVALID',
    detail: 'Part 1: This role has permissions in Castellan, so it is never given automatically.',
  });
  await db().deleteFrom('discord_role_rights').execute();
  const dangerous = {
    ...product,
    lines: [{ kind: 'role' as const, roleId: otherId, roleName: 'Moderators' }],
  };
  expect((await call(port(), storeHttp.create, { ...asOwner, body: dangerous })).json.code).toBe(
    'PRODUCT_INVALID',
  );
  expect(await made()).toEqual([`give ${ada.discordId} linked`]);
});

// Guarantee: a planned change is not made once the role is dangerous, has permissions in Castellan, or follows no rule
// any more, even if nothing was compared since.
test.each([
  ['became dangerous', () => tellRoles('role-dangerous')],
  [
    'has permissions in Castellan',
    () =>
      db()
        .insertInto('discord_role_rights')
        .values({ discord_role_id: roleId, name: 'Veteran', permissions: ['players.read'] })
        .execute(),
  ],
  [
    'follows no rule',
    (id: string) => call(port(), discordRolesHttp.disable, { ...asOwner, params: { id }, body: {} }),
  ],
])('a change was written down, and the role %s', async (_what, happens) => {
  const ada = await newPerson();
  await newPlayer(ada.memberId);
  const id = await switchOn({ ...ofRole, kind: 'linked' });
  await round();
  expect(await owed()).toEqual([{ discord_id: ada.discordId, change: 'give' }]);
  await happens(id);
  expect(await next()).toEqual([]);
  await db().deleteFrom('discord_role_rights').execute();
});

// Guarantee: permissions in Castellan cannot be bought or earned: a role that is sold, was sold or is given by a rule gets none.
test('rights for a role that is given', async () => {
  const id = '555555555555555555';
  const body = { name: 'Patron', permissions: ['players.read' as const] };
  const map = async () =>
    (await call(port(), discordRightsHttp.set, { ...asOwner, params: { id }, body })).json.code;
  const role = { roleId: id, roleName: 'Patron' };
  const values = {
    id: 'patrons',
    kind: 'linked' as const,
    role_id: id,
    role_name: 'Patron',
    is_enabled: true,
  };
  await db()
    .insertInto('discord_role_rules')
    .values({ ...values, server_ids: [] })
    .execute();
  expect(await map()).toBe('DISCORD_ROLE_UNFIT');
  await db().updateTable('discord_role_rules').set({ is_enabled: false }).execute();
  const product = {
    name: 'Patron',
    price: 1,
    game: 'minecraft' as const,
    lines: [{ kind: 'role' as const, ...role }],
  };
  await tellRoles(null, [{ id, name: 'Patron', obstacle: null }]);
  expect((await call(port(), storeHttp.create, { ...asOwner, body: product })).status).toBe(200);
  expect(await map()).toBe('DISCORD_ROLE_UNFIT');
  await db().updateTable('products').set({ archived_at: new Date() }).execute();
  expect(await map()).toBeUndefined();
  await db().deleteFrom('discord_role_rights').execute();
});

// Guarantee: before all members were listed, no preview shows whom a rule would change, and none is switched on.
test('members who are not listed yet', async () => {
  const ada = await newPerson();
  await newPlayer(ada.memberId);
  const { json } = await create({ ...ofRole, kind: 'linked' });
  const params = { id: String(json.id) };
  // Another Discord server, for which the bot has reported only some members.
  await db().updateTable('discord_guild_reports').set({ listed_at: null }).execute();
  const shown = await call(port(), discordRolesHttp.preview, { ...asOwner, params, body: {} });
  expect(shown.json).toMatchObject({
    obstacle: 'role-members-unlisted',
    gains: { count: 0 },
    losses: { count: 0 },
  });
  const { version, previewId } = shown.json as unknown as RolePreview;
  const body = { version, previewId };
  const answer = await call(port(), discordRolesHttp.enable, { ...asOwner, params, body });
  expect(answer.json.code).toBe('DISCORD_ROLE_UNFIT');
  await tellMembers();
  const after = await call(port(), discordRolesHttp.preview, { ...asOwner, params, body: {} });
  expect(after.json).toMatchObject({ obstacle: null, gains: { count: 1 } });
  // Discord has trouble with the Discord server: the bot says so, and no role is given meanwhile.
  const tellBot = (status: Pick<BotReport, 'state' | 'obstacle'>) =>
    call(port(), botHttp.report, { as: testBotSecret, body: { detail: '', ...status } });
  await tellBot({ state: 'waiting', obstacle: 'guild-unavailable' });
  const during = await call(port(), discordRolesHttp.preview, { ...asOwner, params, body: {} });
  expect(during.json).toMatchObject({ obstacle: 'role-guild-unavailable' });
  await tellBot({ state: 'connected', obstacle: null });
});

// Guarantee: rules take the permission to change settings and see members, whitelists that of moderating their servers,
// and none is switched on without a step-up.
test('who may', async () => {
  const serverId = await newServer(port());
  const role = await customRole(port(), ['settings.read', 'settings.write']);
  const blind = await person(port(), { role });
  expect((await create({ ...ofRole, kind: 'linked' }, blind.token)).json.code).toBe('FORBIDDEN');
  const seeing = await customRole(port(), ['settings.read', 'settings.write', 'members.read']);
  const { name, password } = await person(port(), { role: seeing });
  const token = await signIn(port(), name, password);
  const whitelist = { ...ofRole, kind: 'whitelist' as const, serverIds: [serverId] };
  expect((await create(whitelist, token)).json.code).toBe('FORBIDDEN');
  const { json } = await create({ ...ofRole, kind: 'linked' }, token);
  const params = { id: String(json.id) };
  const shown = await call(port(), discordRolesHttp.preview, { as: token, params, body: {} });
  const { version, previewId } = shown.json as unknown as RolePreview;
  const answer = await call(port(), discordRolesHttp.enable, {
    as: token,
    params,
    body: { version, previewId },
  });
  expect(answer.json.code).toBe('STEP_UP_REQUIRED');
  expect((await create({ ...whitelist, serverIds: ['nowhere'] })).json.code).toBe('INVALID_REQUEST');
  expect((await create({ ...ofRole, roleId: '9'.repeat(18), kind: 'linked' })).json.code).toBe(
    'DISCORD_ROLE_UNFIT',
  );
});
