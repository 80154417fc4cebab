import { beforeEach, expect, test } from 'vitest';
import { discordHttp } from '#contracts/discord/discord.ts';
import {
  discordGuildBotHttp,
  type MemberChange,
  type MemberReport,
} from '#contracts/discord/discord-guild.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call } from '../../kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../kernel/testing/test-api.ts';

const running = apiForThisFile();
const port = () => running().port;
const db = () => running().api.context.database.db;

let guilds = 0;
let guildId = '';
let run = 0;
let number = 0;
let people = 0;
beforeEach(() => {
  guilds += 1;
  guildId = String(200_000_000_000_000_000n + BigInt(guilds));
  run += 1;
  number = 0;
});
const newId = () => {
  people += 1;
  return String(500_000_000_000_000_000n + BigInt(people));
};
const there = (id: string, more: object = {}, kind: 'there' | 'joined' = 'there'): MemberChange => ({
  kind,
  member: {
    id,
    name: `Person ${id.slice(-4)}`,
    username: '',
    roleIds: [],
    isBot: false,
    joinedAt: null,
    ...more,
  },
});
const left = (id: string): MemberChange => ({ kind: 'left', id });

const send = async (report: MemberReport) => {
  const { status, text, json } = await call(port(), discordGuildBotHttp.reportMembers, {
    as: testBotSecret,
    body: report,
  });
  expect(status, text).toBe(200);
  return json.isCurrent;
};
const report = (changes: MemberChange[], endsList = false) => {
  const body = { guildId, run: `run-${run}`, number, changes, endsList };
  number += 1;
  return send(body);
};
/** A new run, as after a start of the bot. */
const list = (changes: MemberChange[]) => {
  run += 1;
  number = 0;
  return report(changes, true);
};
const rows = () => db().selectFrom('discord_guild_members').selectAll().orderBy('discord_id').execute();
const namesThere = async () =>
  (await rows()).filter(({ left_at }) => left_at === null).map(({ name }) => name);
const memberOf = (discordId: string) =>
  db().selectFrom('members').selectAll().where('discord_id', '=', discordId).executeTakeFirst();
const events = async (...ids: string[]) => {
  const all = await db()
    .selectFrom('event_logs')
    .select(['kind', 'payload', 'at'])
    .where('kind', 'like', 'discord.member-%')
    .orderBy('id')
    .execute();
  return all
    .filter(({ payload }) => ids.includes(String(payload.discordId)))
    .map(({ kind, payload }) => `${kind.slice('discord.member-'.length)} ${payload.name}`);
};

// Guarantee: the first list creates members for people, not for bots, and no events; a later one reports who came and left in between.
test('lists', async () => {
  const [ada, bob, bot] = [newId(), newId(), newId()];
  expect(
    await list([there(ada, { name: 'Ada' }), there(bob, { name: 'Bob' }), there(bot, { isBot: true })]),
  ).toBe(true);
  expect(await memberOf(ada)).toMatchObject({ merged_into: null });
  expect(await memberOf(bot)).toBeUndefined();
  expect(await events(ada, bob, bot)).toEqual([]);

  const cid = newId();
  await list([there(ada, { name: 'Ada' }), there(cid, { name: 'Cid\0\ud800', roleIds: [guildId] })]);
  expect(await events(ada, bob, bot, cid)).toEqual(['joined Cid\ufffd\ufffd', 'left Bob']);
  expect(await rows()).toMatchObject([
    { discord_id: ada, left_at: null },
    { discord_id: cid, role_ids: [guildId], left_at: null },
  ]);
  // Bob leaves nothing behind.
  expect(await memberOf(bob)).toBeUndefined();
});

// Guarantee: a list counts only when it is complete, and members who are reported in the meantime are on it.
test('a list in parts', async () => {
  const [ada, bob, cid] = [newId(), newId(), newId()];
  await list([there(ada), there(bob)]);
  run += 1;
  number = 0;
  await report([there(ada)]);
  expect(await namesThere()).toHaveLength(2);
  await report([there(cid, {}, 'joined')]);
  await report([], true);
  expect((await rows()).map(({ discord_id }) => discord_id)).toEqual([ada, cid]);
});

// Guarantee: a report is accepted once however often it comes; one that a newer one has overtaken changes nothing; a
// run that the API does not know has to be started again.
test('reports that come again', async () => {
  const [ada, bob] = [newId(), newId()];
  await list([there(ada, { name: 'Ada' })]);
  const joined = {
    guildId,
    run: `run-${run}`,
    number: 1,
    changes: [there(bob, { name: 'Bob' }, 'joined')],
    endsList: false,
  };
  expect(await Promise.all([send(joined), send(joined), send(joined)])).toEqual([true, true, true]);
  expect(await send({ ...joined, number: 2, changes: [left(bob)] })).toBe(true);
  expect(await send(joined)).toBe(true);
  expect(await events(ada, bob)).toEqual(['joined Bob', 'left Bob']);
  expect(await namesThere()).toEqual(['Ada']);

  // One is lost; one belongs to another run; one to another Discord server.
  for (const lost of [
    { ...joined, number: 4 },
    { ...joined, run: 'another', number: 3 },
    { ...joined, guildId: newId(), number: 3 },
  ])
    expect(await send(lost)).toBe(false);
  expect(await namesThere()).toEqual(['Ada']);
});

// Guarantee: another Discord server replaces the previous one without reporting that anyone left.
test('another Discord server', async () => {
  const [ada, bob] = [newId(), newId()];
  await list([there(ada), there(bob)]);
  guildId = newId();
  await list([there(bob, { name: 'Bob' })]);
  expect(await namesThere()).toEqual(['Bob']);
  expect(await events(ada, bob)).toEqual([]);
  expect(await memberOf(ada)).toBeUndefined();
  expect(await memberOf(bob)).toBeDefined();
});

// Guarantee: when another Discord server is chosen, or none, no one is listed as being on it, and no one has left.
test('another Discord server in the settings', async () => {
  const [ada, bob] = [newId(), newId()];
  await list([there(ada), there(bob)]);
  const save = async (chosen: string | null) => {
    const { json } = await call(port(), discordHttp.read, { as: testDesktopCredential });
    const body = { version: Number(json.version), guildId: chosen };
    const saved = await call(port(), discordHttp.change, { as: testDesktopCredential, body });
    expect(saved.status, saved.text).toBe(200);
  };
  await save(guildId);
  expect(await rows()).toEqual([]);
  expect(await report([there(ada)])).toBe(false);
  await list([there(ada)]);
  await save(null);
  expect(await rows()).toEqual([]);
  expect(await events(ada, bob)).toEqual([]);
});

// Guarantee: a person who leaves stays a member while anything depends on them: points, players, or a history of any kind.
test('who leaves something behind', async () => {
  const ids = {
    points: newId(),
    player: newId(),
    kept: newId(),
    merged: newId(),
    receiver: newId(),
    nothing: newId(),
  };
  await list(Object.values(ids).map((id) => there(id)));
  const member = async (id: string) => String((await memberOf(id))?.id);
  await call(port(), membersHttp.grant, {
    as: testDesktopCredential,
    params: { id: await member(ids.points) },
    body: { kind: 'grant', points: 5 },
  });
  await db()
    .insertInto('players')
    .values({
      identity: 'minecraft:leaver',
      platform_id: 'minecraft:leaver',
      game: 'minecraft',
      name: 'Leaver',
      name_key: 'leaver',
      member_id: await member(ids.player),
    } as never)
    .execute();
  // A merge keeps only one account.
  const mergedId = await member(ids.merged);
  await db().updateTable('members').set({ discord_id: null }).where('id', '=', mergedId).execute();
  const merge = await call(port(), membersHttp.merge, {
    as: testDesktopCredential,
    params: { id: await member(ids.kept) },
    body: { mergedId },
  });
  expect(merge.status, merge.text).toBe(200);
  // Chosen for the order of a shop that was not given yet.
  await db()
    .insertInto('shops')
    .values({
      id: 'shop-of-leavers',
      kind: 'generic',
      name: 'Shop',
      is_enabled: true,
      game: 'minecraft',
      allows_names: false,
      checks_address: false,
    })
    .execute();
  await db()
    .insertInto('shop_orders')
    .values({
      id: 'order-of-leavers',
      shop_id: 'shop-of-leavers',
      external_id: '1',
      refs: ['order:1'],
      receiver_id: await member(ids.receiver),
    })
    .execute();
  await report(Object.values(ids).map(left));
  const stay = await Promise.all(
    Object.entries(ids).map(async ([name, id]) => [name, (await memberOf(id)) !== undefined]),
  );
  expect(Object.fromEntries(stay)).toEqual({
    points: true,
    player: true,
    kept: true,
    merged: false,
    receiver: true,
    nothing: false,
  });
  expect((await rows()).map(({ discord_id, left_at }) => [discord_id, left_at !== null])).toEqual(
    [ids.points, ids.player, ids.kept, ids.receiver].map((id) => [id, true]),
  );
});

// Guarantee: everything that may refer to a member is checked before one is removed, and found by an index.
test('what refers to a member', async () => {
  const { pool } = running().api.context.database;
  const { rows: keys } = await pool.query<{ name: string; indexed: boolean }>(
    `select conrelid::regclass || '.' || attname as name,
       exists (select from pg_index where indrelid = conrelid and indkey[0] = conkey[1]
               and (indpred is null or pg_get_expr(indpred, indrelid) = '(' || attname || ' IS NOT NULL)')) as indexed
     from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
     where contype = 'f' and confrelid = 'members'::regclass order by 1`,
  );
  expect(keys.filter(({ indexed }) => !indexed)).toEqual([]);
  // `removeEmpty` checks each of these.
  expect(keys.map(({ name }) => name)).toEqual([
    'deliveries.member_id',
    'entitlements.member_id',
    'ledger.from_member',
    'ledger.to_member',
    'member_link_codes.member_id',
    'member_merges.kept_id',
    'member_merges.merged_id',
    'members.merged_into',
    'order_lines.receiver_id',
    'orders.member_id',
    'orders.receiver_id',
    'players.member_id',
    'reward_claims.member_id',
    'reward_code_uses.member_id',
    'reward_first_visits.member_id',
    'reward_gifts.from_member',
    'reward_gifts.to_member',
    'reward_intervals.member_id',
    'season_steps.member_id',
    'shop_orders.receiver_id',
    'wallets.member_id',
  ]);
});
