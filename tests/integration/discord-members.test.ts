import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { tenth } from '#harness/tenth.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { nextTimes, noFaults } from '#simulators/discord/faults.ts';
import type { People } from '#simulators/discord/people.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import { createApiClient } from '../../bot/api-client.ts';
import { runGuildFeatures } from '../../bot/guild-features.ts';
import { memberReporter } from '../../bot/members/member-reporter.ts';
import { apiForThisFile } from '../../server/kernel/testing/api-of-a-test.ts';
import { testBotSecret } from '../../server/kernel/testing/test-api.ts';

const guildId = '222222222222222222';
const running = apiForThisFile();
const db = () => running().api.context.database.db;

let discord: Discord;
let people: People;
let bot: AsyncDisposableStack;

beforeAll(async () => {
  discord = await startDiscord({ settings: { identifyWindowMs: 0 } });
  people = discord.addGuild('The Keep', { id: guildId });
  // More than Discord lists per page.
  for (let number = 0; number < 1200; number += 1) people.join(`Person ${number}`);
});
afterAll(() => discord[Symbol.asyncDispose]());
beforeEach(async () => {
  Object.assign(discord.faults, noFaults());
  await startBot();
});
afterEach(() => bot.disposeAsync());

const startBot = async () => {
  bot = new AsyncDisposableStack();
  const client = makeClient(discord);
  bot.defer(() => client.destroy());
  bot.use(
    runGuildFeatures({
      client,
      guildId,
      features: [memberReporter],
      interval: tenth,
      api: createApiClient(`http://127.0.0.1:${running().port}`, new Secret(testBotSecret)),
      log: createLog({ component: 'bot', level: 'silent' }),
    }),
  );
  await client.login(usualBot.token);
};
/** The people on the server, according to the API. */
const known = async () => {
  const rows = await db()
    .selectFrom('discord_guild_members')
    .selectAll()
    .where('left_at', 'is', null)
    .execute();
  return new Map(
    rows.map(({ discord_id, name, role_ids, is_bot }) => [discord_id, { name, role_ids, is_bot }]),
  );
};
const there = () =>
  new Map(
    [...people.guild.members.values()].map(({ user, nick, roles }) => [
      user.id,
      { name: nick ?? user.global_name ?? user.username, role_ids: roles, is_bot: user.bot ?? false },
    ]),
  );
const settled = () => eventually(async () => expect(await known()).toEqual(there()), 60_000);
const events = async () => {
  const rows = await db()
    .selectFrom('event_logs')
    .select(['kind', 'payload'])
    .where('kind', 'in', ['discord.member-joined', 'discord.member-left'])
    .orderBy('id')
    .execute();
  return rows.map(({ kind, payload }) => `${payload.name} ${kind.slice('discord.member-'.length)}`);
};
const reports = () => db().selectFrom('discord_guild_reports').selectAll().executeTakeFirstOrThrow();
/** Expects a complete list from a run other than `before`. */
const isListed = async (before: string | null = null) => {
  const row = await reports();
  expect(row.listed_at).not.toBeNull();
  expect(row.listed_at).toEqual(row.began_at);
  expect(row.run).not.toBe(before);
};
const clearEvents = () => db().deleteFrom('event_logs').execute();

// Guarantee: after the first list everyone on the Discord server is known, without events; then each change is reported.
test('members of the Discord server', async () => {
  await settled();
  await eventually(() => isListed(), 60_000);
  expect(await events()).toEqual([]);

  const role = people.createRole('Keeper');
  const ada = people.join('Ada');
  people.setNick(ada, 'Ada the First');
  people.setRoles(ada, [role.id]);
  const bob = people.join('Bob', { roles: [role.id] });
  people.leave(bob);
  // A late report about a person who left does not bring them back.
  people.setNick(bob, 'Bob the Late');
  people.join('Helper', { isBot: true });
  const newcomer = people.join('Newcomer', { pending: true });
  await settled();
  const isPending = async () => {
    const row = await db()
      .selectFrom('discord_guild_members')
      .select('is_pending')
      .where('discord_id', '=', newcomer.user.id)
      .executeTakeFirstOrThrow();
    return row.is_pending;
  };
  expect(await isPending()).toBe(true);
  people.acceptRules(newcomer);
  await eventually(async () => expect(await isPending()).toBe(false));
  await eventually(async () =>
    expect(await events()).toEqual(['Ada joined', 'Bob joined', 'Bob left', 'Newcomer joined']),
  );
});

// Guarantee: changes while the bot was offline are known and reported after the next list; nothing is reported twice.
test('a bot that was away', async () => {
  await settled();
  await eventually(() => isListed(), 60_000);
  await bot.disposeAsync();
  await clearEvents();
  const { run } = await reports();
  const cid = people.join('Cid');
  const [someone] = [...people.guild.members.values()].filter(({ user }) => user.global_name === 'Person 7');
  if (someone) people.leave(someone);
  await startBot();
  await eventually(() => isListed(run), 60_000);
  await settled();
  await eventually(async () => expect((await events()).toSorted()).toEqual(['Cid joined', 'Person 7 left']));
  people.leave(cid);
  await eventually(async () => expect(await events()).toHaveLength(3));
});

// Guarantee: changes that Discord does not report, in an outage or between two sessions, are corrected by another list.
test.each<[string, (change: () => void) => void]>([
  [
    'an outage of the Discord server',
    (change) => {
      discord.setGuildAvailable(people.guild, false);
      change();
      discord.setGuildAvailable(people.guild, true);
    },
  ],
  [
    'a session that cannot be resumed',
    (change) => {
      discord.gateway.invalidate(false);
      change();
    },
  ],
])('%s', async (_what, lose) => {
  await settled();
  await eventually(() => isListed(), 60_000);
  await clearEvents();
  const { run } = await reports();
  lose(() => people.join('Dan'));
  await eventually(() => isListed(run), 60_000);
  await settled();
  await eventually(async () => expect(await events()).toEqual(['Dan joined']));
});

// Guarantee: Discord's problems during a list, and changes in the middle of it, lose no one.
test('a list under way', async () => {
  await bot.disposeAsync();
  const isList = ({ path }: { path: string }) => path.endsWith('/members');
  let lists = 0;
  const fails = nextTimes(1, { status: 500 }, isList);
  discord.faults.fateOf = (request) => {
    if (isList(request) && lists < 4) {
      lists += 1;
      const [first] = [...people.guild.members.values()].filter(({ user }) => !user.bot);
      if (first) people.leave(first);
      people.join(`Late ${lists}`);
    }
    return fails(request);
  };
  await startBot();
  await eventually(() => expect(lists).toBeGreaterThanOrEqual(3), 60_000);
  await settled();
  await eventually(() => isListed(), 60_000);
  expect(new Set((await events()).filter((said) => said.startsWith('Late'))).size).toBe(lists);
});
