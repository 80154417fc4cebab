import { beforeEach, expect, test } from 'vitest';
import { deliveriesHttp } from '#contracts/deliveries.ts';
import { discordGuildBotHttp } from '#contracts/discord-guild.ts';
import { discordRightsHttp } from '#contracts/discord-rights.ts';
import {
  discordRolesBotHttp,
  discordRolesHttp,
  type GivableRole,
  type NewRoleRule,
  type RoleChange,
  type RoleChangeOutcome,
  type RolePreview,
} from '#contracts/discord-roles.ts';
import { ordersHttp } from '#contracts/orders.ts';
import { storeHttp } from '#contracts/store.ts';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { call, customRole, newServer, person, signIn } from '../testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../testing/test-api.ts';

const running = apiForThisFile();
const port = () => running().port;
const db = () => running().api.context.database.db;
const asOwner = { as: testDesktopCredential };
const asBot = { as: testBotSecret };
const guildId = '222222222222222222';
const roleId = '333333333333333333';
const otherId = '444444444444444444';
const ofRole = { roleId, roleName: 'Veteran' };
/** In the guild, with the roles that Discord says they have. */
const guild = new Map<string, readonly string[]>();

let runs = 0;
const tellMembers = async () => {
  runs += 1;
  const changes = [...guild].map(([id, roleIds]) => ({
    kind: 'there' as const,
    member: { id, name: `Person ${id.slice(-3)}`, roleIds: [...roleIds], isBot: false, joinedAt: null },
  }));
  const body = { guildId, run: `run-${runs}`, number: 0, changes, endsList: true };
  const { status, text } = await call(port(), discordGuildBotHttp.reportMembers, { ...asBot, body });
  expect(status, text).toBe(200);
};
const tellRoles = async (obstacle: 'role-dangerous' | null = null, more: GivableRole[] = []) => {
  const roles = [
    { id: otherId, name: 'Moderators', obstacle: 'role-dangerous' as const },
    { id: roleId, name: 'Veteran', obstacle },
    ...more,
  ];
  await call(port(), discordRolesBotHttp.reportRoles, { ...asBot, body: { guildId, roles } });
};
const round = () => running().api.context.store.roles.round();
const take = async (): Promise<RoleChange[]> => {
  await round();
  return next();
};
/** As the bot asks: nothing is compared before. */
const next = async (): Promise<RoleChange[]> => {
  const { json } = await call(port(), discordRolesBotHttp.take, { ...asBot, body: { guildId } });
  return json.changes as RoleChange[];
};
const settle = (id: string, outcome: RoleChangeOutcome = 'done') =>
  call(port(), discordRolesBotHttp.settle, { ...asBot, params: { id }, body: { guildId, outcome } });
/** The changes, all of which are then made. */
const made = async (): Promise<string[]> => {
  const changes = [];
  for (let [change] = await take(); change; [change] = await next()) {
    changes.push(change);
    await settle(change.id);
  }
  return changes.map(({ change, discordId, because }) => `${change} ${discordId} ${because}`).sort();
};

const owed = () => db().selectFrom('discord_role_changes').select(['discord_id', 'change']).execute();
const handedLongAgo = () =>
  db()
    .updateTable('discord_role_changes')
    .set({ handed_at: new Date(Date.now() - 3_600_000) })
    .execute();

let people = 0;
const newPerson = async (roles: readonly string[] = []) => {
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
const newPlayer = async (memberId: string) =>
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
const newProduct = async (): Promise<string> => {
  const { json, status, text } = await call(port(), storeHttp.create, {
    ...asOwner,
    body: {
      name: 'Veteran',
      price: 0,
      game: 'minecraft',
      isEnabled: true,
      lines: [{ kind: 'role', ...ofRole }],
    },
  });
  expect(status, text).toBe(200);
  return String(json.id);
};
const buy = async (memberId: string, productId: string, quantity: number): Promise<string> => {
  const { json, status, text } = await call(port(), ordersHttp.place, {
    ...asOwner,
    body: { memberId, lines: [{ productId, quantity }] },
  });
  expect(status, text).toBe(200);
  return String(json.id);
};
const refund = async (id: string) => {
  const { status, text } = await call(port(), ordersHttp.refund, { ...asOwner, params: { id }, body: {} });
  expect(status, text).toBe(200);
};
const create = (rule: NewRoleRule, as = testDesktopCredential) =>
  call(port(), discordRolesHttp.create, { as, body: rule });
const switchOn = async (rule: NewRoleRule): Promise<string> => {
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

// Guarantee: hours count over all players of a member and all servers, those of others do not.
test('a role for hours', async () => {
  const serverId = await newServer(port());
  const veteran = await newPerson();
  const newcomer = await newPerson();
  for (const [{ memberId }, hours] of [
    [veteran, 10],
    [newcomer, 9],
  ] as const) {
    const playerId = await newPlayer(memberId);
    await db()
      .insertInto('player_sessions')
      .values({
        player_id: playerId,
        server_id: serverId,
        handle: '',
        joined_at: new Date(Date.now() - hours * 3_600_000 - 1000),
        confirmed_at: new Date(),
        left_at: new Date(),
      })
      .execute();
  }
  await switchOn({ ...ofRole, kind: 'hours', amount: 10 });
  expect(await made()).toEqual([`give ${veteran.discordId} hours`]);
  expect(await made()).toEqual([]);
});

// Guarantee: a role that follows the store is for its buyers alone, and goes with the refund.
test('a role for who has bought it', async () => {
  const buyer = await newPerson();
  const byHand = await newPerson([roleId]);
  await switchOn({ ...ofRole, kind: 'bought' });
  expect(await made()).toEqual([`take ${byHand.discordId} not-earned`]);
  const orderId = await buy(buyer.memberId, await newProduct(), 1);
  expect(await made()).toEqual([`give ${buyer.discordId} bought`]);
  expect(await made()).toEqual([]);
  const { json } = await call(port(), ordersHttp.read, { ...asOwner, params: { id: orderId } });
  expect(json.deliveries).toMatchObject([{ state: 'delivered', certainty: 'proven', line: { quantity: 1 } }]);
  await refund(orderId);
  expect(await made()).toEqual([`take ${buyer.discordId} refunded`]);
  expect(await made()).toEqual([]);
});

// Guarantee: a role is not charged where it would give nothing: twice at once, or to who has bought it already.
test('a role that is bought twice', async () => {
  const { memberId } = await newPerson();
  const productId = await newProduct();
  const refused = async (quantity: number) => {
    const body = { memberId, lines: [{ productId, quantity }] };
    const { json } = await call(port(), ordersHttp.place, { ...asOwner, body });
    expect(json.code).toBe('LIMIT_REACHED');
    return json.detail;
  };
  expect(await refused(2)).toBe('Veteran: A member can have 1 in all, and has 0.');
  const first = await buy(memberId, productId, 1);
  expect(await refused(1)).toBe('Veteran: A member can have 1 in all, and has 1.');
  await made();
  await refused(1);
  await refund(first);
  await buy(memberId, productId, 1);
});

// Guarantee: who is refunded while the bot gives the role does not keep it, whether the bot reports or not.
test.each([
  ['reported', 'at once'],
  ['reported after a long throttle', 'late'],
  ['not reported', 'never'],
])('a refund while the role is given, %s', async (_how, isReported) => {
  const buyer = await newPerson();
  const productId = await newProduct();
  const placed = await buy(buyer.memberId, productId, 1);
  const [change] = await take();
  expect(change).toMatchObject({ change: 'give', because: 'bought' });
  await refund(placed);
  await running().api.context.store.roles.round();
  guild.set(buyer.discordId, [roleId]);
  if (isReported !== 'at once') await handedLongAgo();
  if (isReported === 'never') {
    await tellMembers();
    // With the next question the bot is done with it.
    expect(await take()).toEqual([]);
    await round();
  } else {
    await round();
    await settle(change?.id ?? '');
  }
  expect(await made()).toEqual([`take ${buyer.discordId} refunded`]);
  expect(await made()).toEqual([]);
});

// Guarantee: neither changes that fail nor one that is always in doubt hold up a purchase or another change, and each is tried again.
test('changes that fail', async () => {
  await switchOn({ ...ofRole, kind: 'linked' });
  const [doubted, gone] = [await newPerson(), await newPerson()];
  await newPlayer(doubted.memberId);
  await newPlayer(gone.memberId);
  const settledAs = async (outcome: RoleChangeOutcome) => {
    const [change] = await next();
    await settle(change?.id ?? '', outcome);
    return change?.discordId;
  };
  await round();
  const failed = [await settledAs('in-doubt'), await settledAs('member-gone')];
  expect(failed.sort()).toEqual([doubted.discordId, gone.discordId].sort());
  expect(await next()).toEqual([]);
  // They are due again, and have been for long.
  await db()
    .updateTable('discord_role_changes')
    .set({ next_try_at: new Date(Date.now() - 3_600_000) })
    .execute();
  const [fresh, buyer] = [await newPerson(), await newPerson()];
  await newPlayer(fresh.memberId);
  await buy(buyer.memberId, await newProduct(), 1);
  await round();
  expect(await settledAs('done')).toBe(buyer.discordId);
  expect(await settledAs('done')).toBe(fresh.discordId);
  expect((await made()).length).toBe(2);
  expect(await owed()).toEqual([]);
});

// Guarantee: a person who asks for a role's delivery again does not wait for the back-off.
test('a purchase that is tried again', async () => {
  const buyer = await newPerson();
  const orderId = await buy(buyer.memberId, await newProduct(), 1);
  const [change] = await take();
  await settle(change?.id ?? '', 'role-refused');
  expect(await take()).toEqual([]);
  const { json } = await call(port(), ordersHttp.read, { ...asOwner, params: { id: orderId } });
  const [delivery] = json.deliveries as { id: string }[];
  const params = { id: delivery?.id ?? '' };
  const answer = await call(port(), deliveriesHttp.retry, { ...asOwner, params, body: {} });
  expect(answer.status, answer.text).toBe(200);
  expect(await take()).toEqual([change]);
});

// Guarantee: a change that is reported twice is audited once, and one that is given out again stays the same.
test('a report that comes twice', async () => {
  const ada = await newPerson();
  await newPlayer(ada.memberId);
  await switchOn({ ...ofRole, kind: 'linked' });
  const [change] = await take();
  expect(await take()).toEqual([change]);
  await Promise.all([settle(change?.id ?? ''), settle(change?.id ?? '')]);
  await settle(change?.id ?? '');
  const rows = await db()
    .selectFrom('audit_logs')
    .select(['action', 'actor', 'after'])
    .where('target', '=', `discord-user:${ada.discordId}`)
    .execute();
  expect(rows).toEqual([
    {
      action: 'discord.give-role',
      actor: expect.stringMatching(/^bot:/),
      after: { role: 'Veteran', roleId, because: 'linked' },
    },
  ]);
  expect(await take()).toEqual([]);
});

// Guarantee: what is not wanted any more is forgotten; what the bot has made of it meanwhile is audited, though it never said so.
test('a change that is not wanted any more', async () => {
  const ada = await newPerson();
  const playerId = await newPlayer(ada.memberId);
  const id = await switchOn({ ...ofRole, kind: 'linked' });
  await take();
  await db().deleteFrom('players').where('id', '=', playerId).execute();
  // The bot had it, and may have made it.
  expect(await take()).toEqual([]);
  await round();
  expect(await owed()).toHaveLength(1);
  await handedLongAgo();
  guild.set(ada.discordId, [roleId]);
  await tellMembers();
  await running().api.context.store.roles.round();
  expect(await made()).toEqual([`take ${ada.discordId} not-earned`]);
  const rows = await db()
    .selectFrom('audit_logs')
    .select('action')
    .where('target', '=', `discord-user:${ada.discordId}`)
    .orderBy('id')
    .execute();
  expect(rows.map(({ action }) => action)).toEqual(['discord.give-role', 'discord.take-role']);
  await call(port(), discordRolesHttp.disable, { ...asOwner, params: { id }, body: {} });
});

// Guarantee: a role that has become dangerous, or that gives rights by now, is given no more, whatever the rules say.
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
    detail: 'Line 1: This role gives rights in Castellan, so it is never given automatically.',
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

// Guarantee: what was written down before is not given once the role is dangerous, gives rights, or follows no rule any
// more, though nothing was compared since.
test.each([
  ['became dangerous', () => tellRoles('role-dangerous')],
  [
    'gives rights',
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

// Guarantee: rights in Castellan cannot be bought or earned: a role that is sold, was sold or is given by a rule gets none.
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

// Guarantee: before all members were listed, nobody is told whom a rule would change, and none is switched on.
test('members who are not listed yet', async () => {
  const ada = await newPerson();
  await newPlayer(ada.memberId);
  const { json } = await create({ ...ofRole, kind: 'linked' });
  const params = { id: String(json.id) };
  // Another Discord server, of which the bot has told some members.
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
});

// Guarantee: rules are made by who may change settings and see members, whitelists by who moderates those servers, and none is
// switched on without a step-up.
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

// Guarantee: without a license nothing is given or taken.
test('without a license', async () => {
  const ada = await newPerson();
  await newPlayer(ada.memberId);
  await switchOn({ ...ofRole, kind: 'linked' });
  running().api.license.set('rejected');
  // After a look that had begun before.
  await round();
  await db().deleteFrom('discord_role_changes').execute();
  await running().api.context.store.roles.round();
  expect(await db().selectFrom('discord_role_changes').selectAll().execute()).toEqual([]);
  running().api.license.set('valid');
  expect(await made()).toEqual([`give ${ada.discordId} linked`]);
});
