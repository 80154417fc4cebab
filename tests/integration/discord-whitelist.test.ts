import { expect, test } from 'vitest';
import type { RoleRule } from '#contracts/discord/discord-roles.ts';
import {
  create,
  db,
  discordRolesForThisFile,
  enable,
  givePlayer,
  joined,
  newRole,
  patientMs,
  preview,
  rules,
  running,
  stand,
  switchedOn,
} from '#harness/discord-roles.ts';
import { eventually } from '#harness/eventually.ts';
import { newServer } from '../../server/kernel/testing/call.ts';
import { startMinecraft } from '../simulators/minecraft-simulator.ts';

discordRolesForThisFile();

const entries = () => db().selectFrom('discord_whitelist_entries').select(['state', 'is_sent']).execute();
const ruleOf = async (id: string): Promise<RoleRule | undefined> =>
  (await rules()).find((rule) => rule.id === id);
const nameOf = async (playerId: string) =>
  (await db().selectFrom('players').select('name').where('id', '=', playerId).executeTakeFirstOrThrow()).name;
const openServer = async () => {
  const game = await startMinecraft();
  const { password, port } = game;
  const serverId = await newServer(running().port, {
    name: `Castle ${port}`,
    host: '127.0.0.1',
    port,
    password,
  });
  const { servers } = running().api.context;
  await eventually(() => expect(servers.statusOf(serverId).state).toBe('online'), patientMs);
  return { game, serverId };
};

// Guarantee: a person who gets a role is added to the whitelist, a person who loses it is removed, and an entry made by hand stays.
test('a whitelist that follows a role', async () => {
  const { game, serverId } = await openServer();
  await using _game = game;
  const role = newRole();
  const ada = await joined('Ada', [role.id]);
  const ben = await joined('Ben', [role.id]);
  const adas = await nameOf(await givePlayer(ada.memberId));
  const bens = await nameOf(await givePlayer(ben.memberId));
  game.world.whitelist.add(bens);
  const { json } = await create({
    kind: 'whitelist',
    roleId: role.id,
    roleName: role.name,
    serverIds: [serverId],
  });
  const id = String(json.id);
  const shown = await preview(id);
  expect(shown.gains.count).toBe(2);
  expect(shown.gains.names[0]).toContain(adas);
  expect((await enable(id, shown)).status).toBe(200);
  await eventually(() => expect([...game.world.whitelist].sort()).toEqual([adas, bens].sort()), patientMs);
  await eventually(
    async () => expect((await entries()).map(({ state }) => state).sort()).toEqual(['found', 'made']),
    patientMs,
  );
  const orders = await db()
    .selectFrom('audit_logs')
    .select(['action', 'actor'])
    .where('action', 'like', 'players.whitelist-%')
    .execute();
  expect(orders).toEqual([
    { action: 'players.whitelist-add', actor: `local:discord-roles-${serverId}` },
    { action: 'players.whitelist-add', actor: `local:discord-roles-${serverId}` },
  ]);

  stand.people.setRoles(ada, []);
  stand.people.setRoles(ben, []);
  await eventually(() => expect([...game.world.whitelist]).toEqual([bens]), patientMs);
  await eventually(async () => expect(await entries()).toEqual([]), patientMs);
  stand.people.setRoles(ada, [role.id]);
  await eventually(() => expect(game.world.whitelist.has(adas)).toBe(true), patientMs);
  stand.people.leave(ada);
  await eventually(() => expect(game.world.whitelist.has(adas)).toBe(false), patientMs);

  // A deleted role does not mean that anyone lost it.
  stand.people.setRoles(ben, [role.id]);
  game.world.whitelist.delete(bens);
  await eventually(() => expect(game.world.whitelist.has(bens)).toBe(true), patientMs);
  await eventually(async () => expect(await entries()).toMatchObject([{ state: 'made' }]), patientMs);
  stand.people.deleteRole(role);
  await eventually(async () => expect((await ruleOf(id))?.obstacle).toBe('role-unknown'), patientMs);
  await running().api.context.discord.roles.round();
  expect(await entries()).toMatchObject([{ state: 'made' }]);
  expect(game.world.whitelist.has(bens)).toBe(true);
});

// Guarantee: an offline server gets its entries once it is back; a lost answer is settled by asking again.
test('a server that is away, and a lost answer', async () => {
  const { game, serverId } = await openServer();
  await using _game = game;
  const role = newRole();
  const id = await switchedOn({
    kind: 'whitelist',
    roleId: role.id,
    roleName: role.name,
    serverIds: [serverId],
  });
  await game.kill();
  const { servers } = running().api.context;
  await eventually(() => expect(servers.statusOf(serverId).state).not.toBe('online'), patientMs);
  const ada = await joined('Ada', [role.id]);
  const adas = await nameOf(await givePlayer(ada.memberId));
  await eventually(async () => expect((await ruleOf(id))?.waiting).toBe(1), patientMs);
  await running().api.context.discord.roles.round();
  expect(await entries()).toEqual([{ state: 'adding', is_sent: false }]);

  await game.restart();
  // Carried out but not answered.
  game.world.whitelist.add(adas);
  await db().updateTable('discord_whitelist_entries').set({ is_sent: true }).execute();
  await eventually(
    async () => expect(await entries()).toEqual([{ state: 'made', is_sent: true }]),
    patientMs,
  );
  stand.people.setRoles(ada, []);
  await eventually(() => expect(game.world.whitelist.has(adas)).toBe(false), patientMs);
});
