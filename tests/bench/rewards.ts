import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { createLog } from '#runtime/log.ts';
import type { Tables } from '../../server/kernel/database/tables.ts';
import { startTestApi } from '../../server/kernel/testing/test-api.ts';
import { openTestCluster } from '../../server/kernel/testing/test-cluster.ts';
import { whenInUse } from '../../server/kernel/testing/when-in-use.ts';
import { createRewardPayer } from '../../server/store/rewards/reward-payer.ts';
import { settingsOfATest, storeContextOfATest } from '../../server/store/testing/store-context-of-a-test.ts';
import type { Bench } from './harness/report.ts';

const minutes = 30;
const points = 10;
const aimRatio = 3;

/** Members who have been online for one interval, after two weeks of sessions that were paid. */
const seed = (members: number, sessions: number) => [
  `insert into clusters (id, name, name_key, description) values ('c', 'C', 'c', '')`,
  `insert into game_servers (id, cluster_id, name, name_key, game, port) values ('s', 'c', 's', 's', 'minecraft', 1)`,
  `insert into players (identity, platform_id, game, name, name_key)
   select 'minecraft:' || n, 'minecraft:' || n, 'minecraft', 'P' || n, 'p' || n from generate_series(1, ${members}) n`,
  `insert into reward_rules (id, name, is_enabled, terms) values ('r', 'Playing', true,
     '{"kind":"interval","points":${points},"minutes":${minutes},"mostPerDay":null,"games":[],"serverIds":[]}')`,
  `insert into reward_rule_versions (rule_id, version, name, kind, terms, effective_from)
   select id, 1, name, 'interval', terms, now() - interval '30 days' from reward_rules`,
  `insert into player_sessions (player_id, server_id, handle, joined_at, confirmed_at, left_at)
   select id, 's', '', at, at + interval '1 hour', at + interval '1 hour'
     from players cross join lateral (
       select now() - n * interval '10 hours' as at from generate_series(1, ${sessions}) n) s`,
  `insert into reward_counted_times (rule_id, session_id, counted)
   select 'r', id, tstzmultirange(tstzrange(joined_at, left_at)) from player_sessions`,
];
/** Everyone stays online for one more interval. */
const play = [
  `insert into player_sessions (player_id, server_id, handle, joined_at, confirmed_at)
   select id, 's', '', now() - interval '${minutes} minutes', now() from players
   on conflict (server_id, player_id) where left_at is null
   do update set joined_at = player_sessions.joined_at, confirmed_at = excluded.confirmed_at`,
];
const playOn = `update player_sessions set joined_at = joined_at - interval '${minutes} minutes' where left_at is null`;

/** The obvious implementation: each player's time is read, and each interval is a transaction. */
const payOneByOne = async (db: Kysely<Tables>, most: number): Promise<number> => {
  const { rows } = await sql<{ member_id: string; session_id: string; ms: number; joined_at: Date }>`
    select player.member_id, stay.id as session_id, stay.joined_at,
           (extract(epoch from confirmed_at - joined_at) * 1000)::float8 as ms
    from player_sessions as stay join players as player on player.id = stay.player_id
    where left_at is null order by stay.id limit ${most}`.execute(db);
  let paid = 0;
  for (const row of rows) {
    const due = Math.floor(row.ms / (minutes * 60_000));
    for (let number = 1; number <= due; number += 1)
      await db.transaction().execute(async (trx) => {
        const { rows: known } = await sql<{ number: number }>`
          select coalesce(max(number), 0) as number from reward_intervals
          where rule_id = 'r' and member_id = ${row.member_id}`.execute(trx);
        if ((known[0]?.number ?? 0) >= number) return;
        await sql`
          insert into reward_intervals (rule_id, member_id, number, ended_at, day, points)
          values ('r', ${row.member_id}, ${number}, now(), now()::date, ${points})`.execute(trx);
        await sql`
          insert into ledger (kind, from_account, to_account, to_member, amount, actor, reward_kind, reward_name)
          values ('reward', 'issued', 'wallet', ${row.member_id}, ${points}, 'castellan', 'interval', 'Playing')`.execute(
          trx,
        );
        paid += 1;
      });
  }
  return paid;
};

const timed = async (act: () => Promise<number>) => {
  const began = performance.now();
  const count = await act();
  const ms = performance.now() - began;
  return { intervals: count, ms, 'intervals/s': (count / ms) * 1000 };
};

export const rewardsBench: Bench = {
  summary: 'intervals online paid in sets, beside one transaction for each',
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
    await using folder = await temporaryFolder('bench-rewards');
    await using postgres = await openTestCluster(folder.path, await freePort(), { fsync: 'on' });
    await postgres.start();
    await using api = await startTestApi({ databaseUrl: postgres.databaseUrl, workers: [] });
    await whenInUse(api);
    await using database = openDatabase<Tables>({
      url: postgres.databaseUrl,
      applicationName: 'bench',
      log: createLog({ component: 'api', level: 'error' }),
      defaultConnectionLimit: 4,
    });
    const { db, pool } = database;
    // Keeps the API, which pays as well, from interfering.
    await using _turn = await holdTurn(pool);
    say(`${members} members online, with ${values.sessions} sessions each`);
    for (const statement of [...seed(members, Number(values.sessions)), ...play]) await pool.query(statement);
    await pool.query('vacuum analyze');
    await _turn[Symbol.asyncDispose]();
    await using payer = createRewardPayer({
      ...storeContextOfATest(db),
      settings: settingsOfATest({ general: { timeZone: 'America/Sao_Paulo' } }),
      log: createLog({ component: 'api', level: 'error' }),
    });
    const round = async () => (await payer.round(true)).rewards;
    say('a round in which everyone is due');
    const inSets = await timed(round);
    say('a round in which no one is');
    const idle = await timed(round);
    await pool.query(playOn);
    await pool.query(`delete from reward_intervals`);
    const some = Math.min(members, 2000);
    say(`${some} of them, one by one`);
    const oneByOne = await timed(() => payOneByOne(db, some));
    const ratio = inSets['intervals/s'] / oneByOne['intervals/s'];
    return {
      title: `${members} members online, ${values.sessions} sessions each in the days before`,
      tables: {
        Paid: { 'in sets': inSets, 'one by one': oneByOne, 'a round with nothing due': idle },
      },
      aims: [
        { what: 'in sets beside one by one', value: ratio, aim: `> ${aimRatio}`, met: ratio > aimRatio },
        {
          what: 'everyone is paid',
          value: inSets.intervals,
          aim: `= ${members}`,
          met: inSets.intervals === members,
        },
      ],
    };
  },
};

/** No one pays while it is held. */
const holdTurn = async (pool: {
  connect(): Promise<{ query(text: string): Promise<unknown>; release(): void }>;
}): Promise<AsyncDisposable> => {
  const client = await pool.connect();
  await client.query(`select pg_advisory_lock(hashtextextended('rewards', 0))`);
  let isHeld = true;
  return {
    async [Symbol.asyncDispose]() {
      if (!isHeld) return;
      isHeld = false;
      await client.query(`select pg_advisory_unlock(hashtextextended('rewards', 0))`);
      client.release();
    },
  };
};
