import { beforeEach, expect } from 'vitest';
import { discordGuildBotHttp } from '#contracts/discord/discord-guild.ts';
import {
  discordRolesBotHttp,
  discordRolesHttp,
  type GivableRole,
  type NewRoleRule,
  type RoleChange,
  type RoleChangeOutcome,
  type RolePreview,
} from '#contracts/discord/discord-roles.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import type { Lasts } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { apiForThisFile } from '../../../kernel/testing/api-of-a-test.ts';
import { call } from '../../../kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../../kernel/testing/test-api.ts';

export const running = apiForThisFile();
export const port = () => running().port;
export const db = () => running().api.context.database.db;
export const asOwner = { as: testDesktopCredential };
const asBot = { as: testBotSecret };
const guildId = '222222222222222222';
export const roleId = '333333333333333333';
export const otherId = '444444444444444444';
export const ofRole = { roleId, roleName: 'Veteran' };
/** In the guild, with their roles according to Discord. */
export const guild = new Map<string, readonly string[]>();
/** Who has not accepted the rules of the Discord server yet. */
export const pending = new Set<string>();

let runs = 0;
export const tellMembers = async () => {
  runs += 1;
  const changes = [...guild].map(([id, roleIds]) => {
    const [name, isPending] = [`Person ${id.slice(-3)}`, pending.has(id)];
    const member = { id, name, roleIds: [...roleIds], isBot: false, isPending, joinedAt: null };
    return { kind: 'there' as const, member };
  });
  const body = { guildId, run: `run-${runs}`, number: 0, changes, endsList: true };
  const { status, text } = await call(port(), discordGuildBotHttp.reportMembers, { ...asBot, body });
  expect(status, text).toBe(200);
};
export const tellRoles = async (obstacle: 'role-dangerous' | null = null, more: GivableRole[] = []) => {
  const roles = [
    { id: otherId, name: 'Moderators', obstacle: 'role-dangerous' as const },
    { id: roleId, name: 'Veteran', obstacle },
    ...more,
  ];
  await call(port(), discordRolesBotHttp.reportRoles, { ...asBot, body: { guildId, roles } });
};
export const round = () => running().api.context.discord.roles.round();
export const take = async (): Promise<RoleChange[]> => {
  await round();
  return next();
};
/** Like a request of the bot: nothing is compared before. */
export const next = async (): Promise<RoleChange[]> => {
  const { json } = await call(port(), discordRolesBotHttp.take, { ...asBot, body: { guildId } });
  return json.changes as RoleChange[];
};
export const settle = (id: string, outcome: RoleChangeOutcome = 'done') =>
  call(port(), discordRolesBotHttp.settle, { ...asBot, params: { id }, body: { guildId, outcome } });
/** The changes; all of them are then made. */
export const made = async (): Promise<string[]> => {
  const changes = [];
  for (let [change] = await take(); change; [change] = await next()) {
    changes.push(change);
    await settle(change.id);
  }
  return changes.map(({ change, discordId, because }) => `${change} ${discordId} ${because}`).sort();
};

export const owed = () => db().selectFrom('discord_role_changes').select(['discord_id', 'change']).execute();
export const handedLongAgo = () =>
  db()
    .updateTable('discord_role_changes')
    .set({ handed_at: new Date(Date.now() - 3_600_000) })
    .execute();

let people = 0;
export const newPerson = async (roles: readonly string[] = []) => {
  people += 1;
  const discordId = String(100_000_000_000_000_000n + BigInt(people));
  guild.set(discordId, roles);
  await tellMembers();
  const { id: memberId } = await db()
    .selectFrom('members')
    .select('id')
    .where('discord_id', '=', discordId)
    .executeTakeFirstOrThrow();
  return { discordId, memberId };
};
export const newPlayer = async (memberId: string) =>
  (
    await db()
      .insertInto('players')
      .values({
        identity: `minecraft:${memberId}`,
        platform_id: `minecraft:${memberId}`,
        game: 'minecraft',
        name: `Player${memberId}`,
        name_key: `player${memberId}`,
        member_id: memberId,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
export const newProduct = async (lasts?: Lasts): Promise<string> => {
  const { json, status, text } = await call(port(), storeHttp.create, {
    ...asOwner,
    body: {
      name: 'Veteran',
      price: 0,
      game: 'minecraft',
      isEnabled: true,
      lines: [{ kind: 'role', ...ofRole, lasts }],
    },
  });
  expect(status, text).toBe(200);
  return String(json.id);
};
export const buy = async (memberId: string, productId: string, quantity: number): Promise<string> => {
  const { json, status, text } = await call(port(), ordersHttp.place, {
    ...asOwner,
    body: { memberId, lines: [{ productId, quantity }] },
  });
  expect(status, text).toBe(200);
  return String(json.id);
};
export const refund = async (id: string) => {
  const { status, text } = await call(port(), ordersHttp.refund, { ...asOwner, params: { id }, body: {} });
  expect(status, text).toBe(200);
};
export const create = (rule: NewRoleRule, as = testDesktopCredential) =>
  call(port(), discordRolesHttp.create, { as, body: rule });
export const switchOn = async (rule: NewRoleRule): Promise<string> => {
  const { json, status, text } = await create(rule);
  expect(status, text).toBe(200);
  const params = { id: String(json.id) };
  const shown = await call(port(), discordRolesHttp.preview, { ...asOwner, params, body: {} });
  const { version, previewId } = shown.json as unknown as RolePreview;
  const answer = await call(port(), discordRolesHttp.enable, {
    ...asOwner,
    params,
    body: { version, previewId },
  });
  expect(answer.status, answer.text).toBe(200);
  return params.id;
};

beforeEach(async () => {
  await db().deleteFrom('discord_role_rules').execute();
  await db().deleteFrom('discord_role_changes').execute();
  guild.clear();
  await tellRoles();
  await tellMembers();
});
