import { parseArgs } from 'node:util';
import { discordRolesBotHttp } from '#contracts/discord/discord-roles.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { createLog } from '#runtime/log.ts';
import { call, newServer } from '../../server/kernel/testing/call.ts';
import { startTestApi, testBotSecret } from '../../server/kernel/testing/test-api.ts';
import { openTestCluster } from '../../server/kernel/testing/test-cluster.ts';
import { whenInUse } from '../../server/kernel/testing/when-in-use.ts';
import type { Bench } from './harness/report.ts';
import { median } from './harness/statistics.ts';

const rounds = 20;
/** After a round there is a pause of twenty times its length, and of at least ten seconds without a reason to look. */
const aimMs = 500;
const guildId = '222222222222222222';
const roleIds = ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(18));

const seed = [
  `insert into members (discord_id) select (100000000000000000 + n)::text from generate_series(1, $1::int) n`,
  `insert into discord_guild_members (discord_id, name, name_key, role_ids, is_bot, seen_in)
   select discord_id, 'Person ' || id, 'person ' || id, $1::text[], false, 'bench' from members`,
  `update discord_guild_reports set guild_id = $1, run = 'bench', listed_at = now()`,
  `insert into players (identity, platform_id, game, name, name_key, member_id)
   select 'minecraft:' || id, 'minecraft:' || id, 'minecraft', 'P' || id, 'p' || id, id from members`,
  `insert into player_sessions (player_id, server_id, handle, joined_at, confirmed_at, left_at)
   select id, (select id from game_servers), '', at, at + interval '1 hour', at + interval '1 hour'
     from players cross join lateral (select now() - n * interval '1 day' as at from generate_series(1, $1::int) n) s`,
  `update wallets set balance = 1000`,
  `insert into discord_role_rules (id, is_enabled, kind, role_id, role_name, amount, server_ids)
   values ('linked', true, 'linked', ($1::text[])[1], 'Linked', null, '{}'),
          ('points', true, 'points', ($1::text[])[2], 'Rich', 1000, '{}'),
          ('hours', true, 'hours', ($1::text[])[3], 'Veteran', 10, '{}'),
          ('whitelist', true, 'whitelist', ($1::text[])[4], 'Guests', null,
            (select array_agg(id) from game_servers))`,
] as const;

/** Times all rounds, one after another. */
const timed = async (act: () => Promise<unknown>) => {
  const times = [];
  for (let index = 0; index < rounds; index += 1) {
    const began = performance.now();
    await act();
    times.push(performance.now() - began);
  }
  return { 'median ms': median(times), 'slowest ms': Math.max(...times) };
};

export const rolesBench: Bench = {
  summary: 'a round over the roles of a Discord server that is in step, beside a count of its members',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        members: { type: 'string', default: '10000' },
        sessions: { type: 'string', default: '20' },
        json: { type: 'boolean' },
      },
    });
    const members = Number(values.members);
    await using folder = await temporaryFolder('bench-roles');
    await using postgres = await openTestCluster(folder.path, await freePort(), { fsync: 'on' });
    await postgres.start();
    await using api = await startTestApi({ databaseUrl: postgres.databaseUrl, workers: [] });
    await whenInUse(api);
    await using database = openDatabase<object>({
      url: postgres.databaseUrl,
      applicationName: 'bench',
      log: createLog({ component: 'api', level: 'error' }),
      defaultConnectionLimit: 1,
    });
    say(`${members} members with ${values.sessions} sessions each`);
    await newServer(api.port);
    const given = [[members], [roleIds.slice(0, 4)], [guildId], [], [Number(values.sessions)], [], [roleIds]];
    for (const [index, statement] of seed.entries()) await database.pool.query(statement, given[index]);
    await database.pool.query('vacuum analyze');
    const { round } = api.context.discord.roles;
    const told = await call(api.port, discordRolesBotHttp.reportRoles, {
      as: testBotSecret,
      body: { guildId, roles: roleIds.map((id) => ({ id, name: id, obstacle: null })) },
    });
    if (told.status !== 200) throw new Error(told.text);
    say('the first round writes down what is to be done');
    const began = performance.now();
    await round();
    const firstMs = performance.now() - began;
    say(`${rounds} rounds`);
    const inStep = await timed(async () => {
      await call(api.port, discordRolesBotHttp.take, { as: testBotSecret, body: { guildId } });
      await round();
    });
    const counted = await timed(() =>
      database.pool.query(`select count(*) from discord_guild_members cross join unnest(role_ids)`),
    );
    const { rows } = await database.pool.query('select count(*)::int as owed from discord_role_changes');
    return {
      title: `${members} members, three rules that decide about a role and a whitelist; ${rows[0]?.owed} changes owed`,
      tables: {
        'Of the database': {
          'the first round, which writes the whitelist down': { 'median ms': firstMs, 'slowest ms': firstMs },
          'a round in step': inStep,
          'a count of the members and their roles': counted,
        },
      },
      aims: [
        {
          what: 'a round in step, median ms',
          value: inStep['median ms'],
          aim: `< ${aimMs}`,
          met: inStep['median ms'] < aimMs,
        },
      ],
    };
  },
};
