import { expect, test } from 'vitest';
import { discordRolesHttp } from '#contracts/discord/discord-roles.ts';
import {
  asOwner,
  audits,
  botPermissions,
  changesOf,
  create,
  db,
  discordRolesForThisFile,
  enable,
  givePlayer,
  has,
  hasNot,
  isChange,
  joined,
  newRole,
  owedTo,
  patientMs,
  points,
  preview,
  rules,
  running,
  settled,
  stand,
  startBot,
  stopBot,
  switchedOn,
  unlink,
} from '#harness/discord-roles.ts';
import { eventually } from '#harness/eventually.ts';
import { nextTimes } from '#simulators/discord/faults.ts';
import { bitsOf } from '#simulators/discord/permissions.ts';
import { call } from '../../server/kernel/testing/call.ts';

discordRolesForThisFile();

// Guarantee: a rule gives and removes its role, each change is once in both audit logs, and changes by hand are reverted.
test('a role for who has linked a player', async () => {
  const role = newRole();
  const ada = await joined('Ada');
  const eve = await joined('Eve', [role.id]);
  const playerId = await givePlayer(ada.memberId);
  const { json } = await create({ kind: 'linked', roleId: role.id, roleName: role.name });
  const shown = await preview(String(json.id));
  expect(shown.gains).toEqual({ count: 1, names: ['Ada'] });
  // Given by hand, so it would be removed.
  expect(shown.losses).toEqual({ count: 1, names: ['Eve'] });
  expect((await enable(String(json.id), shown)).status).toBe(200);
  await has(ada, role);
  await hasNot(eve, role);
  await settled();
  expect(changesOf(ada).map(({ method, reason }) => `${method} ${reason}`)).toEqual([
    'PUT Castellan: has linked a player',
  ]);

  stand.people.setRoles(ada, []);
  await has(ada, role);
  stand.people.setRoles(eve, [role.id]);
  await hasNot(eve, role);
  await unlink(playerId);
  await hasNot(ada, role);
  await settled();
  expect(await audits(ada)).toEqual([
    'discord.give-role linked',
    'discord.give-role linked',
    'discord.take-role not-earned',
  ]);
  expect(await audits(eve)).toEqual(['discord.take-role not-earned', 'discord.take-role not-earned']);
});

// Guarantee: any of several rules for a role is enough, and switching one off removes nothing from anyone: the others go off with
// it, and each is switched on again from its own preview.
test('two rules on one role', async () => {
  const role = newRole();
  const rich = await joined('Rich');
  const both = await joined('Both');
  await givePlayer(both.memberId);
  await points(rich.memberId, 500);
  await points(both.memberId, 500);
  const linked = await switchedOn({ kind: 'linked', roleId: role.id, roleName: role.name });
  const worth = await switchedOn({ kind: 'points', roleId: role.id, roleName: role.name, amount: 500 });
  await has(rich, role);
  await has(both, role);
  await settled();
  await call(running().port, discordRolesHttp.disable, { ...asOwner, params: { id: worth }, body: {} });
  expect((await rules()).map(({ isEnabled }) => isEnabled)).toEqual([false, false]);
  await running().api.context.discord.roles.round();
  expect(await db().selectFrom('discord_role_changes').selectAll().execute()).toEqual([]);
  const shown = await preview(linked);
  expect(shown.losses.names).toEqual(['Rich']);
  expect((await enable(linked, shown)).status).toBe(200);
  await hasNot(rich, role);
  await settled();
  await call(running().port, discordRolesHttp.remove, { ...asOwner, params: { id: linked } });
  const last = await joined('Last', [role.id]);
  await running().api.context.discord.roles.round();
  expect(await db().selectFrom('discord_role_changes').selectAll().execute()).toEqual([]);
  await has(both, role);
  await has(last, role);
});

// Guarantee: only previewed changes happen: a rule that would remove more than its preview showed is not switched on.
test('a preview that is outdated', async () => {
  const role = newRole();
  const { json } = await create({ kind: 'linked', roleId: role.id, roleName: role.name });
  const id = String(json.id);
  const before = await preview(id);
  const holder = await joined('Holder', [role.id]);
  const refused = await enable(id, before);
  expect(refused).toMatchObject({ status: 409, json: { code: 'CONFLICT' } });
  expect((await enable(id, { ...before, previewId: 'made-up' })).json.code).toBe('CONFLICT');
  const after = await preview(id);
  expect(after.losses.names).toEqual(['Holder']);
  expect((await enable(id, after)).status).toBe(200);
  await hasNot(holder, role);
});

// Guarantee: roles with dangerous permissions, or that Discord does not let the bot give, are refused with the reason.
test('roles that are never given', async () => {
  const refusals = [
    [newRole({ permissions: String(bitsOf('manageRoles')) }), 'manage the Discord server'],
    [newRole({ managed: true }), 'Discord manages'],
    [newRole({ position: 11 }), 'bot’s highest role'],
    [stand.people.roleNamed('@everyone'), 'Everyone'],
  ] as const;
  for (const [role, why] of refusals) {
    const { status, json } = await create({ kind: 'linked', roleId: role.id, roleName: role.name });
    expect([status, json.code, json.detail]).toEqual([
      409,
      'DISCORD_ROLE_UNFIT',
      expect.stringContaining(why),
    ]);
  }
  const role = newRole();
  await db()
    .insertInto('discord_role_rights')
    .values({ discord_role_id: role.id, name: role.name, permissions: ['players.read'] })
    .execute();
  const { json } = await create({ kind: 'linked', roleId: role.id, roleName: role.name });
  expect(json.detail).toContain('permissions in Castellan');
});

// Guarantee: a role that the bot may no longer give stays untouched and is named; once it may again, changes follow by themselves.
test('a role that moves above the bot', async () => {
  const role = newRole();
  const id = await switchedOn({ kind: 'linked', roleId: role.id, roleName: role.name });
  stand.people.changeRole(role, { position: 12 });
  await eventually(
    async () => expect((await rules()).find((rule) => rule.id === id)?.obstacle).toBe('role-above-bot'),
    patientMs,
  );
  const ada = await joined('Above');
  await givePlayer(ada.memberId);
  await running().api.context.discord.roles.round();
  expect(await owedTo(ada)).toEqual([]);
  expect(changesOf(ada)).toEqual([]);
  stand.people.changeRole(role, { position: 1 });
  await has(ada, role);
  stand.people.deleteRole(role);
  await eventually(
    async () => expect((await rules()).find((rule) => rule.id === id)?.obstacle).toBe('role-unknown'),
    patientMs,
  );
});

// Guarantee: a refusal of Discord for one member is stored with the reason and not retried immediately, and others continue.
test('a refusal', async () => {
  const role = newRole();
  const first = await joined('First');
  const second = await joined('Second');
  // Discord moves the bot's role down without notifying it.
  const botRole = stand.people.roleNamed('Castellan Bot');
  botRole.permissions = '0';
  await givePlayer(first.memberId);
  const id = await switchedOn({ kind: 'linked', roleId: role.id, roleName: role.name });
  await eventually(
    async () =>
      expect((await rules()).find((rule) => rule.id === id)).toMatchObject({
        failing: 1,
        fault: 'Discord rejected the role change.',
      }),
    patientMs,
  );
  expect(changesOf(first)).toHaveLength(1);
  botRole.permissions = botPermissions;
  // The back-off ends long after this test.
  await db()
    .updateTable('discord_role_changes')
    .set({ next_try_at: new Date(Date.now() + 3_600_000) })
    .where('tries', '>', 0)
    .execute();
  await givePlayer(second.memberId);
  await has(second, role);
  expect(changesOf(first)).toHaveLength(1);
  // Discord reports a change of roles: a refused change may be possible now.
  newRole();
  await has(first, role);
  await settled();
});

// Guarantee: a bot that ends between a change and its report, or gets no answer, repeats it, and it is audited once.
test('a lost report', async () => {
  const role = newRole();
  const ada = await joined('Lost');
  await givePlayer(ada.memberId);
  stand.discord.faults.fateOf = nextTimes(1, 'lose-answer', isChange('PUT', ada));
  stand.hearsReports = false;
  await switchedOn({ kind: 'linked', roleId: role.id, roleName: role.name });
  await has(ada, role);
  expect(await audits(ada)).toEqual([]);
  await stopBot();
  stand.hearsReports = true;
  await startBot();
  await settled();
  expect(await audits(ada)).toEqual(['discord.give-role linked']);
  expect(stand.people.guild.members.get(ada.user.id)?.roles).toEqual([role.id]);
});

// Guarantee: a person who leaves and returns gets their roles back.
test('a member who leaves and returns', async () => {
  const role = newRole();
  const ada = await joined('Guest');
  await givePlayer(ada.memberId);
  await switchedOn({ kind: 'linked', roleId: role.id, roleName: role.name });
  await has(ada, role);
  stand.people.leave(ada);
  await eventually(async () => {
    const { left_at } = await db()
      .selectFrom('discord_guild_members')
      .select('left_at')
      .where('discord_id', '=', ada.user.id)
      .executeTakeFirstOrThrow();
    expect(left_at).not.toBeNull();
  }, patientMs);
  stand.people.rejoin(ada);
  await has(ada, role);
  await settled();
});
