import { beforeEach, expect, test } from 'vitest';
import { discordRolesHttp } from '#contracts/discord/discord-roles.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, newServer } from '../../kernel/testing/call.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { createWhitelist } from './whitelist.ts';

// No bot reports roles to the API here: it leaves whitelists alone, and each test plans and carries out by itself.
const running = apiForThisFile();
const db = () => running().api.context.database.db;

let made = 0;
const newRule = async (serverId: string, isEnabled = true) => {
  made += 1;
  const role_id = String(300_000_000_000_000_000n + BigInt(made));
  return db()
    .insertInto('discord_role_rules')
    .values({
      id: `rule-${made}`,
      is_enabled: isEnabled,
      kind: 'whitelist',
      role_id,
      role_name: 'Guests',
      server_ids: [serverId],
    })
    .returning(['id', 'role_id as roleId'])
    .executeTakeFirstOrThrow();
};
/** On the Discord server, with a player. */
const newGuest = async (roleIds: readonly string[]) => {
  made += 1;
  const discordId = String(100_000_000_000_000_000n + BigInt(made));
  const { id: memberId } = await db()
    .insertInto('members')
    .values({ discord_id: discordId })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [name, identity] = [`Guest ${made}`, `minecraft:guest${made}`];
  await db()
    .insertInto('discord_guild_members')
    .values({
      discord_id: discordId,
      name,
      name_key: name,
      role_ids: [...roleIds],
      is_bot: false,
      seen_in: 'test',
    } as never)
    .execute();
  await db()
    .insertInto('players')
    .values({
      identity,
      platform_id: identity,
      game: 'minecraft',
      name,
      name_key: name,
      member_id: memberId,
    } as never)
    .execute();
  return discordId;
};
const enable = (id: string, isEnabled: boolean) =>
  db().updateTable('discord_role_rules').set({ is_enabled: isEnabled }).where('id', '=', id).execute();
const entries = () => db().selectFrom('discord_whitelist_entries').select(['rule_id', 'state']).execute();
/** A server that is there and obeys, and the commands that it got. */
const opened = (onOrder: () => Promise<unknown> = async () => undefined) => {
  const orders: string[] = [];
  const whitelist = createWhitelist({
    db: db(),
    isOnline: () => true,
    async order({ action }) {
      orders.push(action);
      await onOrder();
      return { verdict: 'done', outcome: 'answered', detail: null } as never;
    },
  });
  return {
    orders,
    plan: () => whitelist.plan(() => true),
    carryOut: () => whitelist.carryOut(new AbortController().signal),
  };
};

beforeEach(async () => {
  await db().deleteFrom('discord_role_rules').execute();
  await db().deleteFrom('discord_guild_members').execute();
});

// Guarantee: an entry that two rules want is made and removed by the one that is on, no matter which wanted it first.
test('a rule takes over an entry of one that is off', async () => {
  const serverId = await newServer(running().port);
  const first = await newRule(serverId);
  const second = await newRule(serverId, false);
  const guest = await newGuest([first.roleId, second.roleId]);
  const { plan, carryOut, orders } = opened();
  await plan();
  expect(await entries()).toEqual([{ rule_id: first.id, state: 'adding' }]);
  await enable(first.id, false);
  await enable(second.id, true);
  await plan();
  await carryOut();
  expect(await entries()).toEqual([{ rule_id: second.id, state: 'made' }]);
  await db()
    .updateTable('discord_guild_members')
    .set({ role_ids: [first.roleId] })
    .where('discord_id', '=', guest)
    .execute();
  await plan();
  await carryOut();
  expect(orders).toEqual(['whitelist-add', 'whitelist-remove']);
  expect(await entries()).toEqual([]);
});

// Guarantee: an entry made by a rule stays known when the rule is removed and another one wants it, so that it is taken off in the end.
test('a rule takes over an entry of one that is removed', async () => {
  const serverId = await newServer(running().port);
  const first = await newRule(serverId);
  const second = await newRule(serverId);
  await newGuest([first.roleId, second.roleId]);
  const { plan, carryOut } = opened();
  await plan();
  await carryOut();
  expect(await entries()).toEqual([{ rule_id: first.id, state: 'made' }]);
  const answer = await call(running().port, discordRolesHttp.remove, {
    as: testDesktopCredential,
    params: { id: first.id },
  });
  expect(answer.status, answer.text).toBe(200);
  expect(await entries()).toEqual([{ rule_id: second.id, state: 'made' }]);
});

// Guarantee: no command leaves for an entry that is gone, or whose rule was switched off, while others were sent.
test.each([
  ['its rule is off', (id: string) => enable(id, false)],
  ['it is gone', () => db().deleteFrom('discord_whitelist_entries').execute()],
])('an entry that is no longer wanted: %s', async (_what, happens) => {
  const serverId = await newServer(running().port);
  const rule = await newRule(serverId);
  await newGuest([rule.roleId]);
  await newGuest([rule.roleId]);
  const { plan, carryOut, orders } = opened(() => happens(rule.id));
  await plan();
  await carryOut();
  expect(orders).toEqual(['whitelist-add']);
});
