import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Rules that give points, what they have counted, codes, and gifts between members. */
const statements = [
  `alter table ledger drop constraint ledger_kind_check`,
  `alter table ledger add constraint ledger_kind_check check (
     kind in ('grant', 'purchase', 'refund', 'charge', 'correction', 'transfer', 'merge', 'reward'))`,
  `alter table ledger
     add column reward_kind text check (reward_kind in ('interval', 'first-visit', 'daily', 'code')),
     add column reward_name text`,
  `alter table ledger add constraint ledger_reward
     check ((kind = 'reward') = (reward_kind is not null) and (reward_kind is null) = (reward_name is null))`,

  `create table reward_rules (
     id text primary key,
     version integer not null default 1,
     name text not null,
     is_enabled boolean not null,
     terms jsonb not null,
     created_at timestamptz(3) not null default now(),
     archived_at timestamptz(3)
   )`,
  // While a rule is switched on one version is open; its terms apply to what happened during its time.
  `create table reward_rule_versions (
     rule_id text not null references reward_rules,
     version integer not null,
     name text not null,
     kind text not null check (kind in ('interval', 'first-visit', 'daily')),
     terms jsonb not null,
     effective_from timestamptz(3) not null,
     effective_until timestamptz(3),
     primary key (rule_id, version),
     check (effective_until >= effective_from)
   )`,
  'create unique index reward_rule_versions_open on reward_rule_versions (rule_id) where effective_until is null',

  // The parts of a session that intervals were paid for. They move with the session, so no merge counts them again.
  `create table reward_counted_times (
     rule_id text not null references reward_rules,
     session_id bigint not null references player_sessions on delete cascade,
     counted tstzmultirange not null,
     primary key (rule_id, session_id)
   )`,
  'create index reward_counted_times_session on reward_counted_times (session_id)',
  `create table reward_intervals (
     rule_id text not null references reward_rules,
     member_id bigint not null references members on delete cascade,
     number integer not null check (number > 0),
     ended_at timestamptz(3) not null,
     day date not null,
     points bigint not null check (points >= 0),
     primary key (rule_id, member_id, number)
   )`,
  'create index reward_intervals_day on reward_intervals (member_id, rule_id, day)',
  `create table reward_first_visits (
     rule_id text not null references reward_rules,
     member_id bigint not null references members on delete cascade,
     at timestamptz(3) not null default now(),
     primary key (rule_id, member_id)
   )`,
  'create index reward_first_visits_member on reward_first_visits (member_id)',
  `create table reward_claims (
     rule_id text not null references reward_rules,
     member_id bigint not null references members on delete cascade,
     day date not null,
     streak integer not null check (streak > 0),
     points bigint not null check (points > 0),
     primary key (rule_id, member_id, day)
   )`,
  'create index reward_claims_member on reward_claims (member_id)',

  `create table reward_code_batches (
     id text primary key,
     number bigint generated always as identity unique,
     version integer not null default 1,
     name text not null,
     points bigint not null check (points > 0),
     most_uses integer check (most_uses > 0),
     most_per_member integer not null check (most_per_member > 0),
     valid_from timestamptz(3),
     valid_until timestamptz(3),
     games text[] not null,
     server_ids text[] not null,
     is_enabled boolean not null default true,
     created_at timestamptz(3) not null default now()
   )`,
  `create table reward_codes (
     id bigint generated always as identity primary key,
     batch_id text not null references reward_code_batches,
     code text not null,
     code_key text not null unique
   )`,
  'create index reward_codes_batch on reward_codes (batch_id, id)',
  `create table reward_code_uses (
     code_id bigint not null references reward_codes,
     member_id bigint not null references members on delete cascade,
     nth integer not null check (nth > 0),
     used_at timestamptz(3) not null default now(),
     request_key text,
     primary key (code_id, member_id, nth),
     unique (code_id, member_id, request_key)
   )`,
  'create index reward_code_uses_member on reward_code_uses (member_id)',
  `create table reward_guesses (
     scope text not null,
     subject bytea not null,
     tokens double precision not null,
     counted_at timestamptz not null,
     primary key (scope, subject)
   )`,

  `create table reward_gifts (
     id text primary key,
     from_member bigint not null references members on delete cascade,
     to_member bigint not null references members on delete cascade,
     points bigint not null check (points > 0),
     expires_at timestamptz(3) not null,
     given_at timestamptz(3),
     day date,
     check ((given_at is null) = (day is null)),
     check (from_member <> to_member)
   )`,
  'create index reward_gifts_from on reward_gifts (from_member, day)',
  'create index reward_gifts_to on reward_gifts (to_member)',
  'create index reward_gifts_offered on reward_gifts (expires_at) where given_at is null',
];

export const rewards: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
