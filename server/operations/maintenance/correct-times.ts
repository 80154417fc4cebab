import { type Kysely, sql } from 'kysely';
import { aheadToleranceMs } from '#runtime/is-ahead.ts';
import type { Tables } from '../../kernel/database/tables.ts';

interface Deadline {
  readonly table: keyof Tables;
  readonly column: string;
  /** The longest that code ever sets it ahead. */
  readonly longest: string;
  /** What a partial index covers, or the rows for which it means anything. */
  readonly where?: string;
}

/**
 * Deadlines that only code sets. One that is further ahead than its longest was set by a clock that has been put right since: a
 * next try becomes due, a lease is free, a code ends.
 */
const deadlines: readonly Deadline[] = [
  { table: 'deliveries', column: 'next_try_at', longest: '1 hour', where: "state in ('pending', 'waiting')" },
  { table: 'counter_commands', column: 'next_try_at', longest: '12 hours', where: "state = 'waiting'" },
  { table: 'season_steps', column: 'next_try_at', longest: '1 hour', where: "state = 'waiting'" },
  { table: 'discord_role_changes', column: 'next_try_at', longest: '2 hours' },
  {
    table: 'discord_whitelist_entries',
    column: 'next_try_at',
    longest: '12 hours',
    where: "state in ('adding', 'removing')",
  },
  {
    table: 'entitlement_places',
    column: 'next_try_at',
    longest: '12 hours',
    where: "state in ('taking', 'giving') and not is_sent",
  },
  {
    table: 'ban_places',
    column: 'next_try_at',
    longest: '2 hours',
    where: 'not is_settled and not is_sent',
  },
  { table: 'mod_wave_servers', column: 'next_try_at', longest: '1 hour', where: "state = 'waiting'" },
  // The longest time between two checks that settings allow is a week, and each is up to a tenth later.
  { table: 'mod_checks', column: 'next_at', longest: '8 days' },
  { table: 'mod_checks', column: 'leased_until', longest: '1 hour' },
  { table: 'mod_uploads', column: 'idle_until', longest: '1 hour' },
  { table: 'mod_plans', column: 'expires_at', longest: '1 hour' },
  { table: 'member_link_codes', column: 'expires_at', longest: '1 hour' },
  { table: 'discord_admin_codes', column: 'expires_at', longest: '1 hour' },
  { table: 'chat_confirmations', column: 'expires_at', longest: '1 hour' },
  { table: 'reward_gifts', column: 'expires_at', longest: '1 day', where: 'given_at is null' },
  { table: 'agent_commands', column: 'expires_at', longest: '1 day', where: 'done_at is null' },
  { table: 'agent_tasks', column: 'expires_at', longest: '1 day', where: 'done_at is null' },
];

interface Passed {
  readonly table: keyof Tables;
  readonly column: string;
  /** From how far ahead; what clocks differ by, if left out. */
  readonly byMs?: number;
}

/** When something happened that time is counted from: never later than now. */
const passed: readonly Passed[] = [
  { table: 'sessions', column: 'last_used_at' },
  { table: 'known_devices', column: 'last_used_at' },
  { table: 'api_keys', column: 'last_used_at' },
  { table: 'desktop_access', column: 'last_used_at' },
  { table: 'admins', column: 'last_sign_in_at' },
  { table: 'store_state', column: 'unlicensed_since' },
  { table: 'store_state', column: 'epoch_since' },
  { table: 'discord_role_changes', column: 'handed_at' },
  { table: 'discord_guild_reports', column: 'began_at' },
  { table: 'discord_guild_reports', column: 'listed_at' },
  // Never after a job that names the upload.
  { table: 'mod_uploads', column: 'begun_at', byMs: 0 },
  { table: 'mod_jobs', column: 'requested_at' },
  { table: 'mod_jobs', column: 'ended_at' },
  { table: 'mod_waves', column: 'requested_at' },
  { table: 'restore_runs', column: 'waits_since' },
  { table: 'restore_runs', column: 'ended_at' },
  { table: 'save_acts', column: 'requested_at' },
  { table: 'save_acts', column: 'ended_at' },
  { table: 'power_acts', column: 'requested_at' },
  { table: 'power_acts', column: 'ended_at' },
  // Both at once: the one shows that it came from the other.
  { table: 'seasons', column: 'began_at' },
  { table: 'products', column: 'limits_since' },
  { table: 'season_steps', column: 'limits_since_was' },
  { table: 'chat_trusts', column: 'origin_since' },
  { table: 'entitlement_places', column: 'changed_at' },
  { table: 'ban_places', column: 'wanted_at' },
  { table: 'game_agents', column: 'last_seen_at' },
  { table: 'waiting_kinds', column: 'since' },
  { table: 'state_beginnings', column: 'since' },
];

interface Span {
  readonly table: keyof Tables;
  readonly from: string;
  readonly to: string;
  readonly where?: string;
}

/** What began ahead of now begins now, and keeps its length. */
const spans: readonly Span[] = [
  {
    table: 'deliveries',
    from: 'created_at',
    to: 'expires_at',
    where: "state in ('pending', 'waiting') and expires_at is not null",
  },
  { table: 'api_keys', from: 'created_at', to: 'expires_at' },
  { table: 'desktop_access', from: 'created_at', to: 'expires_at' },
  // How long a session lasts is counted from both.
  { table: 'sessions', from: 'created_at', to: 'last_used_at' },
];

/** Of all columns that are corrected: `table.column`. */
export const correctedTimes: readonly string[] = [
  ...spans.map(({ table, to }) => `${table}.${to}`),
  ...[...deadlines, ...passed].map(({ table, column }) => `${table}.${column}`),
];

/** A timed purchase that arrived while the clock was ahead lasts from now on: it would last until then and as long again. */
const correctGrants = (now: string, latest: string) => `
  with ahead as (
    update entitlement_grants set given_at = ${now}
     where revoked_at is null and ended_at is null and given_at > ${latest}
    returning entitlement_id)
  insert into entitlement_news (entitlement_id) select distinct entitlement_id from ahead`;

/** Whether it came before or after a change of who may use a chat cannot be told: the player confirms again. */
const forgetConfirmed = (latest: string) =>
  `delete from chat_confirmed_players where confirmed_at > ${latest}`;

/**
 * Corrects what a clock left behind that was ahead and has been put right: nothing waits for years, no code and no session
 * lasts for years. While the clock is still ahead, it changes nothing. While it is behind, it must not run. Any process may run it
 * at any other time. @returns how many times it corrected
 */
export const correctTimes = async (db: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{ readonly now: string }>`select now()::timestamptz(3)::text as now`.execute(db);
  // One time for all of them: what came at the same time, or one after the other, still does.
  const now = `'${rows[0]?.now}'::timestamptz`;
  const after = (ms: number) => `${now} + interval '${ms} milliseconds'`;
  const latest = after(aheadToleranceMs);
  const and = (where?: string): string => (where === undefined ? '' : ` and ${where}`);
  const statements = [
    ...spans.map(
      ({ table, from, to, where }) =>
        `update ${table} set ${to} = ${to} - (${from} - ${now}), ${from} = ${now} where ${from} > ${latest}${and(where)}`,
    ),
    ...deadlines.map(
      ({ table, column, longest, where }) =>
        `update ${table} set ${column} = ${now} where ${column} > ${now} + interval '${longest}'${and(where)}`,
    ),
    ...passed.map(
      ({ table, column, byMs = aheadToleranceMs }) =>
        `update ${table} set ${column} = ${now} where ${column} > ${after(byMs)}`,
    ),
    correctGrants(now, latest),
    forgetConfirmed(latest),
  ];
  let corrected = 0;
  for (const statement of statements) {
    const { numAffectedRows = 0n } = await sql.raw(statement).execute(db);
    corrected += Number(numAffectedRows);
  }
  return corrected;
};
