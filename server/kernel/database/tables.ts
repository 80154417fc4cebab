// The API's tables as types, from its database after all migrations and from column-types.ts.
// tests/outside/outside.test.ts writes this file; only its comments are written by hand, and stay. For the rest, change the
// migrations or column-types.ts, then run
//   npx vitest run --project integration tests/outside -u

import type { Generated, GeneratedAlways } from 'kysely';
import type { Narrowed } from '#runtime/database/narrowed.ts';
import type { ColumnTypes } from './column-types.ts';

export interface AdminsTable {
  id: string;
  name: string;
  /** The name in the compared form (name-key.ts). */
  name_key: string;
  /** In PHC format. */
  password_hash: string;
  /** Null: only what server_grants give. */
  role: string | null;
  disabled: Generated<boolean>;
  /** Sealed. Not in force until totp_confirmed_at is set. */
  totp_secret: string | null;
  totp_confirmed_at: Date | null;
  /** The time step of the last code that was accepted; bigint, as text. */
  totp_last_step: Narrowed<string | null, ColumnTypes['admins.totp_last_step']>;
  created_at: Narrowed<Date, ColumnTypes['admins.created_at']>;
  last_sign_in_at: Date | null;
  /** Covers name, role, grants and disabled together. */
  version: Generated<number>;
}

/** Commands for agents: waiting until `done_at` is set. */
export interface AgentCommandsTable {
  id: string;
  server_id: string;
  /** Masked, if it carries a secret; while that is sealed, only the mask. */
  command: string;
  timeout_ms: number;
  created_at: Narrowed<Date, ColumnTypes['agent_commands.created_at']>;
  expires_at: Date;
  /** When it first went out. */
  sent_at: Date | null;
  /** When the agent said that it has written it down. */
  accepted_at: Date | null;
  done_at: Date | null;
  result: Narrowed<unknown, ColumnTypes['agent_commands.result']>;
  /** Orders commands that were written at the same time; bigint, as text. */
  number: GeneratedAlways<string>;
  /** The whole command, while it is needed; null: `command` is all of it. */
  sealed: string | null;
}

/** Codes for enrolling agents; at most one per server is open. */
export interface AgentEnrolmentsTable {
  id: string;
  server_id: string;
  /** Sealed. */
  code: string;
  /** Whose right it lives by; a desktop by the credential that it keeps. */
  created_by: string;
  created_at: Date;
  expires_at: Date;
  /** It was cancelled, a newer one was created, or its maker has a new password. */
  is_ended: Generated<boolean>;
  downloaded_at: Date | null;
  used_at: Date | null;
  /** SHA-256 of the request that used it; the same request gets the same response. */
  request_digest: string | null;
  answer: Narrowed<unknown, ColumnTypes['agent_enrolments.answer']>;
}

/** What a server's agent last reported about its machine. */
export interface AgentReportsTable {
  server_id: string;
  /** The agent's process that reported it, by the journal of its hello. */
  journal: string;
  /** The name of the agent's memory of tasks. */
  task_journal: string;
  machine: Narrowed<unknown, ColumnTypes['agent_reports.machine']>;
  machine_at: Date;
  process: Narrowed<unknown, ColumnTypes['agent_reports.process']>;
  process_at: Date | null;
}

/** Tasks for agents: open until `done_at` is set. */
export interface AgentTasksTable {
  id: string;
  /** Orders them; bigint, as text. */
  number: GeneratedAlways<string>;
  server_id: string;
  kind: Narrowed<string, ColumnTypes['agent_tasks.kind']>;
  request: Narrowed<unknown, ColumnTypes['agent_tasks.request']>;
  state: Narrowed<'waiting' | 'sent' | 'accepted' | 'running' | 'done', ColumnTypes['agent_tasks.state']>;
  /** Dated to when its state last changed. */
  progress: Narrowed<unknown, ColumnTypes['agent_tasks.progress']>;
  result: Narrowed<unknown, ColumnTypes['agent_tasks.result']>;
  /** Who asked for it, in the audit log's terms. */
  created_by: string;
  created_by_name: string;
  created_at: Narrowed<Date, ColumnTypes['agent_tasks.created_at']>;
  /** If it has not begun at this time, it is no longer run. */
  expires_at: Date;
  /** When it first went out. */
  sent_at: Date | null;
  /** When it was cancelled. */
  cancel_at: Date | null;
  done_at: Date | null;
}

export interface ApiKeysTable {
  id: string;
  name: string;
  secret_hash: Buffer;
  /** Null: created by the desktop or the command line on this machine. */
  creator_id: string | null;
  permissions: string[];
  /** Null: all that the creator may use. */
  server_ids: string[] | null;
  created_at: Narrowed<Date, ColumnTypes['api_keys.created_at']>;
  expires_at: Date;
  /** To the minute. */
  last_used_at: Narrowed<Date | null, ColumnTypes['api_keys.last_used_at']>;
}

/** The API processes on this database. */
export interface ApiProcessesTable {
  id: string;
  /** By the database's clock; renewed while the process lives. */
  leased_until: Date;
}

/** One row per admin action; the database refuses changes, and only the retention deletes rows. */
export interface AuditLogsTable {
  id: GeneratedAlways<string>;
  at: Narrowed<Date, ColumnTypes['audit_logs.at']>;
  /** Who did it, as `kind:id`; `operator` for SQL by the command line. */
  actor: Narrowed<string, ColumnTypes['audit_logs.actor']>;
  /** What was done, such as `sql.run`. */
  action: Narrowed<string, ColumnTypes['audit_logs.action']>;
  /** What it was done to. */
  target: Narrowed<string | null, ColumnTypes['audit_logs.target']>;
  /** Written as JSON text, like the next two. */
  detail: Narrowed<unknown, ColumnTypes['audit_logs.detail']>;
  /** Where the request came from. */
  address: Narrowed<string | null, ColumnTypes['audit_logs.address']>;
  /** Generated from `actor`. */
  actor_kind: GeneratedAlways<string>;
  /** Generated from `actor`; empty if that names no one of its kind. */
  actor_id: GeneratedAlways<string>;
  actor_name: Narrowed<string | null, ColumnTypes['audit_logs.actor_name']>;
  before: Narrowed<unknown, ColumnTypes['audit_logs.before']>;
  after: Narrowed<unknown, ColumnTypes['audit_logs.after']>;
}

/** What is wanted for this player may have changed. */
export interface BanNewsTable {
  id: GeneratedAlways<string>;
  player_id: string;
}

/** What all bans together want for a player on a server, and what the game has proven. */
export interface BanPlacesTable {
  id: Narrowed<string, ColumnTypes['ban_places.id']>;
  server_id: string;
  player_id: string;
  wanted: 'banned' | 'free';
  wanted_at: Date;
  /** `never`: no ban of ours was sent there; `unsure`: one may have arrived, or may be lifted. */
  known: Generated<'never' | 'unsure' | 'banned' | 'free'>;
  certainty: 'proven' | 'unconfirmed' | null;
  known_at: Date | null;
  is_refused: Generated<boolean>;
  /** Consecutive replies that did not help. */
  tries: Generated<number>;
  next_try_at: Date;
  /** A command may have left, and its end is not stored. */
  is_sent: Generated<boolean>;
  change: 'ban' | 'unban' | null;
  command_id: string | null;
  way: 'agent' | 'direct' | null;
  sent_at: Date | null;
  /** Masked. */
  command: string | null;
  outcome: Narrowed<string | null, ColumnTypes['ban_places.outcome']>;
  /** Masked. */
  reply: string | null;
  detail: string | null;
  /** The platform id in the game's own list, if its reply named it. */
  listed_as: string | null;
  /** The wanted state is reached. */
  is_settled: GeneratedAlways<boolean>;
}

export interface BanServersTable {
  ban_id: string;
  server_id: string;
  /** Lifted on this server alone. */
  lifted_at: Date | null;
}

/** Ids are bigint, as text. */
export interface BansTable {
  id: GeneratedAlways<string>;
  /** The player whose member is banned; null: erased. */
  player_id: string | null;
  /** The player's name and platform id at that time. */
  player_name: string;
  platform_id: string | null;
  game: Narrowed<string, ColumnTypes['bans.game']>;
  /** All servers of the game, except those with a row that says it was lifted there. */
  is_everywhere: boolean;
  reason: string;
  banned_at: Date;
  actor: string;
  actor_name: string | null;
  until: Date | null;
  ended_at: Date | null;
  ended_how: 'lifted' | 'expired' | null;
  ended_actor: string | null;
  ended_actor_name: string | null;
}

/** A question with a number that was whispered to a player, who has yet to answer. */
export interface ChatConfirmationsTable {
  id: GeneratedAlways<string>;
  player_id: string;
  server_id: string;
  command: 'buy' | 'link' | 'survivor';
  /** The line of chat that asked: an order from the question has it as its key. */
  line_key: string;
  digest_salt: Buffer;
  /** The number itself is stored nowhere. */
  number_digest: Buffer;
  /** The line that asked identified the player by an id; then only such a line can answer. */
  is_proven: boolean;
  asked: Narrowed<unknown, ColumnTypes['chat_confirmations.asked']>;
  /** The points that the player was told; null: nothing is paid. */
  expected_total: string | null;
  tries_left: number;
  created_at: Narrowed<Date, ColumnTypes['chat_confirmations.created_at']>;
  expires_at: Date;
}

/** Players who may spend and link by the chat of a server before they have been there for a day. */
export interface ChatConfirmedPlayersTable {
  player_id: string;
  server_id: string;
  /** It counts for the server's address and agent at that time. */
  confirmed_at: Generated<Date>;
}

/** A server without a row never had a form. */
export interface ChatFormsTable {
  server_id: string;
  forms: string[];
  version: Generated<number>;
  changed_at: Generated<Date>;
}

/** A server without a row is not trusted, and its address and agent are those of its beginning. */
export interface ChatTrustsTable {
  server_id: string;
  is_trusted: boolean;
  /** An update trusted it, since its chat shop worked; no one has looked at it yet. */
  is_unreviewed: Generated<boolean>;
  /** The change that ended the trust; null: a person did, or it was never given. */
  ended_by: Narrowed<'address' | 'agent' | null, ColumnTypes['chat_trusts.ended_by']>;
  /** The last change of its address or agent; null: none is known. */
  origin_since: Narrowed<Date | null, ColumnTypes['chat_trusts.origin_since']>;
  changed_at: Generated<Date>;
  version: Generated<number>;
}

export interface ClustersTable {
  id: string;
  name: string;
  /** The name in the form that is compared; unique among the clusters in use. */
  name_key: string;
  description: string;
  created_at: Narrowed<Date, ColumnTypes['clusters.created_at']>;
  archived_at: Date | null;
  version: Generated<number>;
}

/** How far the stored commands of a table have been masked. */
export interface CommandMaskingTable {
  source: Narrowed<string, ColumnTypes['command_masking.source']>;
  /** Those by which the rows up to `after` were masked. */
  rules: number;
  /** The last row's id; null: none yet. */
  after: string | null;
  is_done: Narrowed<boolean, ColumnTypes['command_masking.is_done']>;
}

/** One row for each command on its way to a game, from the transaction in which it leaves until its end is stored. */
export interface CommandsInFlightTable {
  command_id: string;
  /** The API process that works on it. */
  process_id: string;
  /** By the database's clock; until then only this process may end it. */
  leased_until: Date;
}

/** At most one row. */
export interface CommunityLogoTable {
  one: Generated<boolean>;
  media_type: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
  bytes: Buffer;
  sha256: string;
}

export interface ConsoleCommandsTable {
  id: GeneratedAlways<string>;
  at: Narrowed<Date, ColumnTypes['console_commands.at']>;
  server_id: string;
  run_id: string;
  /** `admin:<id>`, in the audit log's terms. */
  actor: string;
  actor_name: string | null;
  command: string;
  /** Null while it runs. */
  outcome: Narrowed<string | null, ColumnTypes['console_commands.outcome']>;
  reply: string | null;
  truncated: Generated<boolean>;
  duration_ms: number | null;
  via: 'agent' | 'direct' | null;
  /** The previous `outcome`, when the game's result came late; null: it was never replaced. */
  revised_from: Narrowed<string | null, ColumnTypes['console_commands.revised_from']>;
  revised_at: Date | null;
  /** The order that sent it; null: a person or a program did. */
  order_id: Narrowed<string | null, ColumnTypes['console_commands.order_id']>;
  product_id: Narrowed<string | null, ColumnTypes['console_commands.product_id']>;
  /** Who approved the product's command. */
  approved_by: Narrowed<string | null, ColumnTypes['console_commands.approved_by']>;
  approved_name: Narrowed<string | null, ColumnTypes['console_commands.approved_name']>;
}

/** What a console pushed to the API itself; what an agent hears, the agent keeps. */
export interface ConsoleLinesTable {
  id: GeneratedAlways<string>;
  server_id: string;
  at: Date;
  text: string;
}

/** What a refunded order gave by a command, and the state of taking it back. */
export interface CounterCommandsTable {
  delivery_id: string;
  /** The number of the attempt that gave it. */
  number: number;
  server_id: string;
  state: Generated<'waiting' | 'sent' | 'taken' | 'refused' | 'unknown' | 'impossible'>;
  /** The epoch in `store_state` at the refund; in a restored database it may have been sent since. */
  epoch: number;
  /** Commands that the game refused. */
  tries: Generated<number>;
  next_try_at: Generated<Date>;
  command_id: string | null;
  way: 'agent' | 'direct' | null;
  sent_at: Date | null;
  /** One of the API's reasons. */
  detail: string | null;
}

/** The source of truth for what is given to whom; jobs only trigger work. */
export interface DeliveriesTable {
  /** Random, never used twice. */
  id: Narrowed<string, ColumnTypes['deliveries.id']>;
  /** Breaks ties of `created_at`; bigint as text. */
  number: GeneratedAlways<string>;
  created_at: Narrowed<Date, ColumnTypes['deliveries.created_at']>;
  order_id: string;
  order_line_id: string;
  /** The receiver; readers follow merges. */
  member_id: string;
  game: Narrowed<string, ColumnTypes['deliveries.game']>;
  /** Where it may be given; if both are empty, on every server of the game. */
  cluster_ids: string[];
  server_ids: string[];
  line: Narrowed<unknown, ColumnTypes['deliveries.line']>;
  /** Its share of the price, which a refund returns exactly; bigint as text. */
  points: Narrowed<string, ColumnTypes['deliveries.points']>;
  state: Generated<'pending' | 'waiting' | 'sending' | 'delivered' | 'failed' | 'unknown' | 'cancelled'>;
  certainty: 'proven' | 'settled' | 'unconfirmed' | 'decided' | null;
  waits_for: 'player' | 'server' | 'survivor-number' | 'retry' | 'license' | 'discord' | null;
  /** Text for people. */
  detail: string | null;
  /** Fixed, with `way`, once bytes may have left. */
  server_id: string | null;
  /** Which of the member's players receives it. */
  player_id: string | null;
  way: 'agent' | 'direct' | null;
  /** Incremented when it is sent again by decision or after a withdrawal: each generation has its own mark. */
  generation: Generated<number>;
  attempts: Generated<number>;
  /** The epoch in `store_state` at its creation; an older one means that the database has been restored since. */
  epoch: number;
  next_try_at: Generated<Date>;
  expires_at: Date | null;
  started_at: Date | null;
  ended_at: Date | null;
  refunded_at: Date | null;
  /** Refunded without proof that it did not arrive, so the stock stays unchanged. */
  may_have_arrived: Generated<boolean>;
  /** The game forgot it after a crash. */
  rolled_back_at: Date | null;
  /** Sent again by decision, and both arrived. */
  doubled_at: Date | null;
  /** Why a person must decide; null if none has to. */
  desk_reason: 'unknown' | 'rolled-back' | 'contradiction' | 'late-result' | 'restored' | null;
  desk_at: Date | null;
  job_state: Narrowed<string, ColumnTypes['deliveries.job_state']>;
  /** Who bought it by chat, and where; null: it was not bought by chat. */
  asking_player_id: Narrowed<string | null, ColumnTypes['deliveries.asking_player_id']>;
  asking_server_id: Narrowed<string | null, ColumnTypes['deliveries.asking_server_id']>;
  /** Who approved the command that it sends; null: it sends none, or is older than approvals. */
  approved_by: Narrowed<string | null, ColumnTypes['deliveries.approved_by']>;
  approved_name: Narrowed<string | null, ColumnTypes['deliveries.approved_name']>;
}

export interface DeliveryAttemptsTable {
  delivery_id: string;
  number: number;
  command_id: string;
  server_id: string;
  way: 'agent' | 'direct';
  player_id: string | null;
  /** Masked. */
  command: string;
  began_at: Narrowed<Date, ColumnTypes['delivery_attempts.began_at']>;
  /** Null: not settled. */
  ended_at: Date | null;
  outcome: Narrowed<string | null, ColumnTypes['delivery_attempts.outcome']>;
  /** Masked. */
  reply: string | null;
  verdict: string | null;
  detail: string | null;
  evidence: Narrowed<unknown, ColumnTypes['delivery_attempts.evidence']>;
}

export interface DeliveryCountsTable {
  job_state: string;
  /** Signed; only the sum has a meaning. */
  count: Narrowed<string, ColumnTypes['delivery_counts.count']>;
}

/** Standing decisions for deliveries whose end is unknown. */
export interface DeskRulesTable {
  id: GeneratedAlways<string>;
  /** Null: every one. */
  server_id: string | null;
  product_id: string | null;
  decision: 'delivered' | 'send-again' | 'refund';
  created_at: Narrowed<Date, ColumnTypes['desk_rules.created_at']>;
  actor: string;
  actor_name: string | null;
}

export interface DesktopAccessTable {
  id: string;
  /** An account of the operating system. */
  account: string;
  secret_hash: Buffer;
  created_at: Narrowed<Date, ColumnTypes['desktop_access.created_at']>;
  expires_at: Date;
  /** To the minute. */
  last_used_at: Narrowed<Date | null, ColumnTypes['desktop_access.last_used_at']>;
  /** It also stays in api_keys, and is over when the previous version has deleted it there. */
  was_api_key: Narrowed<boolean, ColumnTypes['desktop_access.was_api_key']>;
}

/** A code that links the Discord account by which it is typed. Each admin has one at a time. */
export interface DiscordAdminCodesTable {
  admin_id: string;
  digest: Buffer;
  expires_at: Date;
}

/** The Discord account of an admin. */
export interface DiscordAdminsTable {
  admin_id: string;
  discord_id: string;
  /** The name when it was linked. */
  discord_name: string;
  linked_at: Generated<Date>;
}

export interface DiscordBoughtRolesTable {
  discord_id: string;
  role_id: string;
}

/** A single row, once something was saved. */
export interface DiscordChatFilterTable {
  only_row: Generated<boolean>;
  version: Generated<number>;
  words: string[];
  treatment: 'mask' | 'hold';
}

/** The lane of a channel that has, or had, a relay. */
export interface DiscordChatLanesTable {
  channel_id: string;
  /** A relay leads from a game to this channel. */
  is_active: Generated<boolean>;
  /** Every line up to it was posted, left out, or is in the post. */
  written_in: string;
  event_id: string;
  /** The newest posted message. */
  message_id: string | null;
  /** Ids of the last messages that were heard. */
  heard: Generated<string[]>;
  post: string | null;
  post_opened_at: Date | null;
  post_was_given: Generated<boolean>;
  /** Written as JSON text. */
  post_content: Narrowed<unknown, ColumnTypes['discord_chat_lanes.post_content']>;
}

export interface DiscordChatRelaysTable {
  id: string;
  version: Generated<number>;
  is_enabled: boolean;
  server_id: string;
  channel_id: string;
  to_discord: boolean;
  to_game: boolean;
  from_servers: boolean;
  /** The transaction before which nothing was meant for the channel. */
  starts_in: string;
  to_discord_at: Narrowed<Date | null, ColumnTypes['discord_chat_relays.to_discord_at']>;
  to_game_at: Narrowed<Date | null, ColumnTypes['discord_chat_relays.to_game_at']>;
  to_discord_left_out: Generated<string>;
  to_game_left_out: Generated<string>;
  created_at: Narrowed<Date, ColumnTypes['discord_chat_relays.created_at']>;
}

/** A channel's place in the feed of events; a lane exists while an enabled rule names its channel. */
export interface DiscordEventLanesTable {
  channel_id: string;
  lane: 'alerts' | 'rest';
  /** Everything up to it is settled. */
  written_in: string;
  event_id: string;
  left_out: Generated<string>;
  posted_at: Narrowed<Date | null, ColumnTypes['discord_event_lanes.posted_at']>;
  /** What was last handed out and is not settled; null: nothing. */
  batch: string | null;
  batch_written_in: string | null;
  batch_event_id: string | null;
  batch_left_out: Generated<string>;
  batch_size: Generated<number>;
  batch_opened_at: Date | null;
}

export interface DiscordEventRulesTable {
  id: string;
  version: Generated<number>;
  is_enabled: boolean;
  channel_id: string;
  /** Empty: all; the same holds for severities and servers. */
  kinds: Narrowed<string[], ColumnTypes['discord_event_rules.kinds']>;
  severities: Narrowed<string[], ColumnTypes['discord_event_rules.severities']>;
  server_ids: string[];
  role_id: string | null;
  created_at: Narrowed<Date, ColumnTypes['discord_event_rules.created_at']>;
}

/** A row stays after its member left while the person has players, points or a history here. */
export interface DiscordGuildMembersTable {
  discord_id: string;
  /** The name that the Discord server shows. */
  name: string;
  name_key: string;
  /** Unique in all of Discord; empty: not reported. */
  username: Generated<string>;
  role_ids: Narrowed<string[], ColumnTypes['discord_guild_members.role_ids']>;
  is_bot: boolean;
  /** According to Discord; null: unknown. */
  joined_at: Date | null;
  /** Null: is there. */
  left_at: Date | null;
  /** The last run of reports that named the member. */
  seen_in: string;
  /** Has not accepted the rules of the Discord server yet. */
  is_pending: Generated<boolean>;
}

/** One row. */
export interface DiscordGuildReportsTable {
  id: 'discord';
  /** Null: none has been reported yet. */
  guild_id: string | null;
  run: string | null;
  /** The number of the last accepted report. */
  number: Generated<number>;
  began_at: Date | null;
  /** When the last complete list was begun; null: never. */
  listed_at: Date | null;
}

/** A change that Castellan owes the Discord server. */
export interface DiscordRoleChangesTable {
  id: string;
  discord_id: string;
  role_id: string;
  change: 'give' | 'take';
  because: Narrowed<string, ColumnTypes['discord_role_changes.because']>;
  tries: Generated<number>;
  /** Why the last try failed; null: none did. */
  obstacle: Narrowed<string | null, ColumnTypes['discord_role_changes.obstacle']>;
  next_try_at: Generated<Date>;
  /** When the bot was last given it, and may have made it; null: it was not. */
  handed_at: Date | null;
  /** The bot may be working on it: it has not asked for the next one since. */
  is_with_bot: Generated<boolean>;
  /** False: the bot has it, and it is forgotten once the bot is done with it. */
  is_wanted: Generated<boolean>;
}

export interface DiscordRoleRightsTable {
  discord_role_id: string;
  name: string;
  permissions: string[];
}

export interface DiscordRoleRulesTable {
  id: string;
  version: Generated<number>;
  is_enabled: Generated<boolean>;
  kind: 'linked' | 'points' | 'hours' | 'bought' | 'whitelist';
  role_id: string;
  /** The name when it was chosen. */
  role_name: string;
  /** Points or hours; bigint as text. */
  amount: Narrowed<string | null, ColumnTypes['discord_role_rules.amount']>;
  /** The servers whose whitelist follows the role. */
  server_ids: Narrowed<string[], ColumnTypes['discord_role_rules.server_ids']>;
  created_at: Generated<Date>;
}

/** A single row, which the migration creates. */
export interface DiscordSettingsTable {
  id: 'discord';
  version: Generated<number>;
  /** Sealed. */
  token: string | null;
  client_id: string | null;
  guild_id: string | null;
}

export interface DiscordStatusMessagesTable {
  id: string;
  version: Generated<number>;
  is_enabled: boolean;
  channel_id: string;
  target_kind: 'server' | 'cluster';
  target_id: string;
  shows_names: boolean;
  joins: Narrowed<unknown, ColumnTypes['discord_status_messages.joins']>;
  created_at: Narrowed<Date, ColumnTypes['discord_status_messages.created_at']>;
  /** Its id in Discord; null while it is not there, or only may be. */
  message_id: string | null;
  /** Handed out for posting; null: nothing is. */
  post: string | null;
  post_opened_at: Date | null;
  /** Digest of what was last confirmed to be in Discord. */
  shown_digest: string | null;
  shown_edited_at: string | null;
  shown_at: Date | null;
}

export interface DiscordStatusRemovalsTable {
  id: string;
  channel_id: string;
  message_id: string | null;
  post: string | null;
  opened_at: Narrowed<Date | null, ColumnTypes['discord_status_removals.opened_at']>;
  created_at: Narrowed<Date, ColumnTypes['discord_status_removals.created_at']>;
}

/** An entry on the whitelist of a game server. */
export interface DiscordWhitelistEntriesTable {
  server_id: string;
  player_id: string;
  /** A rule that wants it, or last wanted it. */
  rule_id: string;
  /**
   * - `adding`, `removing`: the game has not confirmed it yet
   * - `made`: by the rule; only these are ever removed
   * - `found`: it was there already
   */
  state: Generated<'adding' | 'made' | 'found' | 'removing'>;
  tries: Generated<number>;
  /** The reply to the last try. */
  detail: string | null;
  /** A command has left that the game may have carried out. */
  is_sent: Generated<boolean>;
  next_try_at: Generated<Date>;
}

export interface DiscountsTable {
  id: string;
  /** In the order of creation; bigint as text. */
  number: GeneratedAlways<string>;
  version: Generated<number>;
  name: string;
  /** Either this or the next one is null. */
  percent: number | null;
  /** bigint, as text. */
  points_off: Narrowed<string | null, ColumnTypes['discounts.points_off']>;
  product_ids: Narrowed<string[], ColumnTypes['discounts.product_ids']>;
  categories: Narrowed<string[], ColumnTypes['discounts.categories']>;
  /** Roles of the Discord server. */
  role_ids: Narrowed<string[], ColumnTypes['discounts.role_ids']>;
  code: string | null;
  code_key: string | null;
  most_uses: number | null;
  most_per_member: number | null;
  valid_from: Date | null;
  valid_until: Date | null;
  is_enabled: Narrowed<boolean, ColumnTypes['discounts.is_enabled']>;
  created_at: Narrowed<Date, ColumnTypes['discounts.created_at']>;
  removed_at: Date | null;
}

/** One row per key that CONFIG_ENCRYPTION_KEY has had. */
export interface EncryptionKeysTable {
  key_id: string;
  in_use_since: Generated<Date>;
  /** Null for the key in use. */
  replaced_at: Date | null;
  /** When this installation no longer had the key. */
  forgotten_at: Date | null;
}

/** A day of the community's time zone that has its kit. */
export interface EntitlementDaysTable {
  entitlement_id: string;
  day: Narrowed<string, ColumnTypes['entitlement_days.day']>;
  delivery_ids: string[];
}

export interface EntitlementGrantsTable {
  delivery_id: string;
  entitlement_id: string;
  order_line_id: string;
  position: number;
  is_daily: boolean;
  given_at: Date;
  /** Bigint as text. */
  seconds: Narrowed<string, ColumnTypes['entitlement_grants.seconds']>;
  extends: boolean;
  /** Its place is stored. */
  is_placed: Generated<boolean>;
  /** Refunded. */
  revoked_at: Date | null;
  /** It was part of an end and no longer counts. */
  ended_at: Date | null;
}

/** Grants of this entitlement, or their owners, have changed since they were added up. */
export interface EntitlementNewsTable {
  id: GeneratedAlways<string>;
  entitlement_id: string;
}

/** A server and a player that a lasting command was given to. */
export interface EntitlementPlacesTable {
  id: Narrowed<string, ColumnTypes['entitlement_places.id']>;
  entitlement_id: string;
  server_id: string;
  /** Null: the command needed no player. */
  player_id: string | null;
  /** The newest delivery that gave it: its line and values are used. */
  delivery_id: string;
  state: 'held' | 'taking' | 'giving' | 'unknown' | 'taken' | 'given-up';
  changed_at: Date;
  tries: Generated<number>;
  next_try_at: Date;
  /** Commands sent so far; each has its own id. */
  sends: Generated<number>;
  /** The command may have left, and its end is not stored. */
  is_sent: Generated<boolean>;
  command_id: string | null;
  way: 'agent' | 'direct' | null;
  sent_at: Date | null;
  /** Masked. */
  command: string | null;
  outcome: Narrowed<string | null, ColumnTypes['entitlement_places.outcome']>;
  /** Masked. */
  reply: string | null;
  certainty: 'proven' | 'unconfirmed' | 'decided' | null;
  detail: string | null;
}

/** One for each member, game and key; those of merged members are added up together. */
export interface EntitlementsTable {
  /** Bigint as text. */
  id: GeneratedAlways<string>;
  member_id: string;
  game: Narrowed<string, ColumnTypes['entitlements.game']>;
  key: string;
  created_at: Narrowed<Date, ColumnTypes['entitlements.created_at']>;
  /** The end that the grants add up to. */
  ends_at: Date | null;
  /** When the last grant stopped holding it. */
  ended_at: Date | null;
}

/** One row per event; written once, deleted only by the retention. */
export interface EventLogsTable {
  id: GeneratedAlways<string>;
  at: Narrowed<Date, ColumnTypes['event_logs.at']>;
  kind: Narrowed<string, ColumnTypes['event_logs.kind']>;
  severity: Narrowed<'info' | 'notice' | 'warning' | 'alert', ColumnTypes['event_logs.severity']>;
  server_id: Narrowed<string | null, ColumnTypes['event_logs.server_id']>;
  /** Written as JSON text. */
  payload: Narrowed<unknown, ColumnTypes['event_logs.payload']>;
  /** The transaction that wrote it; the live stream follows it. */
  written_in: Narrowed<string, ColumnTypes['event_logs.written_in']>;
}

/** The means of a minute and its events; null where nothing is known. */
export interface FiguresTable {
  /** The start of the minute. */
  at: Date;
  players: number | null;
  database_ms: number | null;
  queue_depth: number | null;
  events: number | null;
}

/** A server whose agent is known; without a row the next agent that proves the secret is pinned. */
export interface GameAgentsTable {
  server_id: string;
  /** Ed25519 public key, raw, base64url. */
  agent_key: string;
  pinned_at: Generated<Date>;
  version: string;
  address: string;
  mode: 'websocket' | 'polling';
  /** To the minute. */
  last_seen_at: Generated<Date>;
  /** The numbering that `last_event` counts in. */
  journal: string;
  /** The number of the last event that is written; bigint, as text. */
  last_event: Narrowed<string, ColumnTypes['game_agents.last_event']>;
  /** The agent's memory of commands, by the name that the agent last gave it; null: it never did. */
  command_journal: string | null;
  /** Another process of the agent connected, and has not said yet whether it remembers what was sent before. */
  commands_doubted: Generated<boolean>;
  /** The agent's own secret, sealed; null: it proves itself by the shared one. */
  secret: string | null;
}

export interface GameServersTable {
  id: string;
  cluster_id: string;
  name: string;
  /** Unique among the servers in use. */
  name_key: string;
  game: Narrowed<string, ColumnTypes['game_servers.game']>;
  /** Null: reached only through the Game Agent. */
  host: string | null;
  port: number;
  /** Sealed; null: the game requires none. */
  password: string | null;
  created_at: Narrowed<Date, ColumnTypes['game_servers.created_at']>;
  archived_at: Date | null;
  version: Generated<number>;
}

/** Items that a person has seen arrive from a test delivery. */
export interface ItemConfirmationsTable {
  game: Narrowed<string, ColumnTypes['item_confirmations.game']>;
  item: string;
  confirmed_at: Narrowed<Date, ColumnTypes['item_confirmations.confirmed_at']>;
  actor: string;
  actor_name: string | null;
  delivery_id: string;
}

/** A browser that has signed in to the account, as named by its device cookie. */
export interface KnownDevicesTable {
  admin_id: string;
  device_hash: Buffer;
  /** Digest of the password's hash: another password makes the device a stranger. */
  password_digest: Buffer;
  last_used_at: Generated<Date>;
}

/** A movement of points between two accounts. Append-only. */
export interface LedgerTable {
  id: GeneratedAlways<string>;
  at: Narrowed<Date, ColumnTypes['ledger.at']>;
  kind: 'grant' | 'purchase' | 'refund' | 'charge' | 'correction' | 'transfer' | 'merge' | 'reward' | 'season';
  /** A member's wallet, or one of the store's own accounts, whose balances are sums. */
  from_account: 'wallet' | 'issued' | 'sales';
  from_member: string | null;
  to_account: 'wallet' | 'issued' | 'sales';
  to_member: string | null;
  /** bigint, as text; positive. */
  amount: Narrowed<string, ColumnTypes['ledger.amount']>;
  order_id: string | null;
  delivery_id: string | null;
  actor: string;
  actor_name: string | null;
  /** What gave a reward, under the name that its rule or batch of codes had then. */
  reward_kind: 'interval' | 'first-visit' | 'daily' | 'code' | null;
  reward_name: string | null;
}

/** A note by staff on an entry; erasing a member removes it. */
export interface LedgerNotesTable {
  entry_id: string;
  note: string;
}

/** A code that merges the member who types it with the one who requested it. At most one per member. */
export interface MemberLinkCodesTable {
  digest: Buffer;
  member_id: string;
  expires_at: Date;
}

/** What a merge moved, for its undo. */
export interface MemberMergesTable {
  id: GeneratedAlways<string>;
  at: Narrowed<Date, ColumnTypes['member_merges.at']>;
  kept_id: string;
  merged_id: string;
  player_ids: string[];
  /** Members merged into `merged_id` earlier. */
  member_ids: string[];
  discord_id: string | null;
  /** bigint, as text. */
  points: Narrowed<string, ColumnTypes['member_merges.points']>;
  /** The ledger's last entry before the merge; bigint as text. */
  entries_before: Narrowed<string, ColumnTypes['member_merges.entries_before']>;
  /** Points returned by the undo, including later refunds; less if points were spent since. Null: not undone. */
  points_returned: Narrowed<string | null, ColumnTypes['member_merges.points_returned']>;
  actor: string;
  actor_name: string | null;
  undone_at: Date | null;
}

/** A person: any number of players, at most one Discord account, one wallet. Ids are bigint, as text. */
export interface MembersTable {
  id: GeneratedAlways<string>;
  discord_id: string | null;
  created_at: Narrowed<Date, ColumnTypes['members.created_at']>;
  /** The member it was merged into, which is itself never merged. */
  merged_into: string | null;
  erased_at: Date | null;
  version: Generated<number>;
}

/** What the last check of a server's mods found. */
export interface ModChecksTable {
  server_id: string;
  checked_at: Date | null;
  next_at: Generated<Date>;
  /** Until then one process of the API checks it. */
  leased_until: Date | null;
  found: Narrowed<unknown, ColumnTypes['mod_checks.found']>;
  /** The updates last reported; the same ones are not reported again. */
  told: string | null;
}

/** Mods that came along because another one requires them, and that no one has asked for since. */
export interface ModDependenciesTable {
  server_id: string;
  key: string;
}

export interface ModJobsTable {
  /** Also the id of its first task. */
  id: string;
  /** In the order of the requests. */
  number: GeneratedAlways<string>;
  server_id: string;
  kind: 'change' | 'undo' | 'set';
  /** The request, as JSON: the same key with another request is refused. */
  request: string;
  change: Narrowed<unknown, ColumnTypes['mod_jobs.change']>;
  inverse: Narrowed<unknown, ColumnTypes['mod_jobs.inverse']>;
  lines: Narrowed<unknown, ColumnTypes['mod_jobs.lines']>;
  wave: string | null;
  /** As the audit log names it. */
  actor: string;
  actor_name: string;
  address: string;
  idempotency_key: string | null;
  state: Generated<'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'unknown'>;
  waits_for: 'agent' | 'queue' | 'job' | 'license' | 'wave' | null;
  /** The task of its last try. */
  task_id: string | null;
  /** How many tasks were begun for it. */
  tries: Generated<number>;
  /** The time of the last request, including a retry. */
  requested_at: Narrowed<Date, ColumnTypes['mod_jobs.requested_at']>;
  began_at: Narrowed<Date | null, ColumnTypes['mod_jobs.began_at']>;
  ended_at: Narrowed<Date | null, ColumnTypes['mod_jobs.ended_at']>;
  is_cancelled: Generated<boolean>;
  outcome: Narrowed<string | null, ColumnTypes['mod_jobs.outcome']>;
  detail: string | null;
  result: Narrowed<unknown, ColumnTypes['mod_jobs.result']>;
  job_state: GeneratedAlways<string>;
  /** For a wave: the whole set of the server after the job. */
  proves: Narrowed<unknown, ColumnTypes['mod_jobs.proves']>;
}

export interface ModPinsTable {
  server_id: string;
  key: string;
  reason: string;
  until: string | null;
  by_name: string;
  at: Generated<Date>;
}

export interface ModPlansTable {
  id: string;
  server_id: string;
  /** The revision of the set that the plan was made for; a bigint, as text. */
  base: Narrowed<string, ColumnTypes['mod_plans.base']>;
  kind: 'change' | 'undo' | 'set';
  change: Narrowed<unknown, ColumnTypes['mod_plans.change']>;
  inverse: Narrowed<unknown, ColumnTypes['mod_plans.inverse']>;
  lines: Narrowed<unknown, ColumnTypes['mod_plans.lines']>;
  faults: Narrowed<unknown, ColumnTypes['mod_plans.faults']>;
  made_at: Narrowed<Date, ColumnTypes['mod_plans.made_at']>;
  expires_at: Narrowed<Date, ColumnTypes['mod_plans.expires_at']>;
}

/** Servers whose list of mods is shared with their players. */
export interface ModPlayerListsTable {
  server_id: string;
  /** Unguessable, and meant to be passed on: it is stored in plain text because the panel shows it again. */
  token: string;
  shared_at: Generated<Date>;
}

export interface ModSetsTable {
  id: string;
  name: string;
  name_key: string;
  game: Narrowed<string, ColumnTypes['mod_sets.game']>;
  items: Narrowed<unknown, ColumnTypes['mod_sets.items']>;
  version: Generated<number>;
  changed_at: Generated<Date>;
  changed_by_name: string;
}

export interface ModUploadsTable {
  id: string;
  server_id: string;
  name: string;
  /** A bigint, as text. */
  bytes: Narrowed<string, ColumnTypes['mod_uploads.bytes']>;
  received: Narrowed<string, ColumnTypes['mod_uploads.received']>;
  /** Null until it is complete. */
  sha1: string | null;
  sha512: string | null;
  content: Narrowed<unknown, ColumnTypes['mod_uploads.content']>;
  begun_at: Narrowed<Date, ColumnTypes['mod_uploads.begun_at']>;
  /** An actor's reference; null: the previous release began it. */
  begun_by: Narrowed<string | null, ColumnTypes['mod_uploads.begun_by']>;
  /** Bytes of the part that is being written; a bigint, as text. */
  reserved: Narrowed<string, ColumnTypes['mod_uploads.reserved']>;
  /** By the database's clock; null: it is complete, or the previous release began it. */
  idle_until: Narrowed<Date | null, ColumnTypes['mod_uploads.idle_until']>;
}

export interface ModWaveServersTable {
  wave_id: string;
  position: number;
  server_id: string;
  /** For a server without a job. */
  state: Generated<'waiting' | 'nothing' | 'blocked'>;
  /** Why it was not begun. */
  detail: string | null;
  faults: Narrowed<unknown, ColumnTypes['mod_wave_servers.faults']>;
  /** Not checked earlier. */
  next_try_at: Generated<Date>;
}

/** Changes of the mods of several servers, the first one alone. */
export interface ModWavesTable {
  id: string;
  /** In the order of the requests. */
  number: GeneratedAlways<string>;
  /** The request, as JSON: the same key with another request is refused. */
  request: string;
  /** The version of the requested set at the time of the request. */
  set_version: number | null;
  /** Who asked, as the audit log names it. */
  actor: string;
  actor_id: string;
  actor_name: string;
  desktop_access_id: string | null;
  address: string;
  idempotency_key: string | null;
  requested_at: Generated<Date>;
  state: Generated<'first' | 'others' | 'done' | 'stopped' | 'cancelled'>;
  detail: string | null;
  ended_at: Date | null;
}

/** What the line of a bundle took out of stocks, including the bundle's own. */
export interface OrderLineStocksTable {
  order_line_id: string;
  product_id: string;
  pieces: number;
  /** How many of these pieces were beyond the stock. */
  oversold: Narrowed<number, ColumnTypes['order_line_stocks.oversold']>;
}

export interface OrderLinesTable {
  id: GeneratedAlways<string>;
  order_id: string;
  product_id: string;
  product_version: number;
  receiver_id: string;
  quantity: number;
  unit_price: Narrowed<string, ColumnTypes['order_lines.unit_price']>;
  created_at: Narrowed<Date, ColumnTypes['order_lines.created_at']>;
  /** Set when it stops counting against limits: all of it was cancelled, failed or refunded, or it is a test. */
  undone_at: Narrowed<Date | null, ColumnTypes['order_lines.undone_at']>;
  /** Set when it holds no stock: nothing arrived and its pieces were returned, or none were taken. */
  restocked_at: Narrowed<Date | null, ColumnTypes['order_lines.restocked_at']>;
  /** Pieces beyond the stock, for orders paid outside. */
  oversold: Narrowed<number, ColumnTypes['order_lines.oversold']>;
}

/** A caller's `Idempotency-Key` and the request it was used for. */
export interface OrderRequestsTable {
  caller: string;
  key: string;
  body_digest: Buffer;
  order_id: string;
  created_at: Narrowed<Date, ColumnTypes['order_requests.created_at']>;
}

export interface OrdersTable {
  id: string;
  /** Breaks ties of `created_at`; bigint as text. */
  number: GeneratedAlways<string>;
  created_at: Narrowed<Date, ColumnTypes['orders.created_at']>;
  /** Who paid. */
  member_id: string;
  receiver_id: string;
  /** Points, bigint as text. */
  total: Narrowed<string, ColumnTypes['orders.total']>;
  source: 'panel' | 'api' | 'test' | 'chat' | 'shop' | 'season';
  actor: string;
  actor_name: string | null;
  /** The single discount of all its lines. It counts as used while any line is not undone. */
  discount_id: Narrowed<string | null, ColumnTypes['orders.discount_id']>;
  /** At that time. */
  discount_name: Narrowed<string | null, ColumnTypes['orders.discount_name']>;
}

/** Items added by staff, such as those of mods. */
export interface OwnItemsTable {
  game: Narrowed<string, ColumnTypes['own_items.game']>;
  id: string;
  name: string;
}

export interface PlayerNamesTable {
  player_id: string;
  name: string;
  name_key: string;
  first_seen_at: Generated<Date>;
  last_seen_at: Generated<Date>;
}

/** A player has at most one open session per server. */
export interface PlayerSessionsTable {
  id: GeneratedAlways<string>;
  player_id: string;
  server_id: string;
  /** What the game's commands call the player in this session. */
  handle: string;
  joined_at: Generated<Date>;
  /** When the player was last seen there, to the minute. */
  confirmed_at: Generated<Date>;
  left_at: Date | null;
  /** `left_at`, or while the session is open `confirmed_at`. */
  last_seen_at: GeneratedAlways<Date>;
  /** When it was first written, whatever the game says of `joined_at`; null: before this column. */
  recorded_at: Narrowed<Date | null, ColumnTypes['player_sessions.recorded_at']>;
}

/** Ids are bigint, as text. */
export interface PlayersTable {
  id: GeneratedAlways<string>;
  /** The platform id, or `name:<game>:<name>` where the game shows none. */
  identity: string;
  platform_id: string | null;
  /** The game where they were first seen. */
  game: Narrowed<string, ColumnTypes['players.game']>;
  /** The newest name. */
  name: string;
  name_key: string;
  first_seen_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  /** Null only until the trigger creates one, within the same statement. */
  member_id: Narrowed<string | null, ColumnTypes['players.member_id']>;
}

/** At most one act per server is running, plus a kill. */
export interface PowerActsTable {
  id: string;
  server_id: string;
  action: 'start' | 'stop' | 'restart' | 'kill';
  countdown_seconds: number;
  /** In the audit log's terms. */
  actor: string;
  actor_name: string;
  address: string;
  idempotency_key: string | null;
  requested_at: Narrowed<Date, ColumnTypes['power_acts.requested_at']>;
  is_cancelled: Narrowed<boolean, ColumnTypes['power_acts.is_cancelled']>;
  outcome: Narrowed<string | null, ColumnTypes['power_acts.outcome']>;
  detail: Narrowed<string | null, ColumnTypes['power_acts.detail']>;
  ended_at: Narrowed<Date | null, ColumnTypes['power_acts.ended_at']>;
  /** Why it failed, if the game's program could not be run. */
  program: Narrowed<unknown, ColumnTypes['power_acts.program']>;
}

export interface ProductPicturesTable {
  product_id: string;
  media_type: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
  bytes: Buffer;
  sha256: string;
}

/** Immutable: an order refers to the version it bought. */
export interface ProductVersionsTable {
  product_id: string;
  version: number;
  name: string;
  name_key: string;
  description: string;
  category: string;
  /** Points, bigint as text. */
  price: Narrowed<string, ColumnTypes['product_versions.price']>;
  game: Narrowed<string, ColumnTypes['product_versions.game']>;
  /** Both empty: every server of the game. */
  cluster_ids: Narrowed<string[], ColumnTypes['product_versions.cluster_ids']>;
  server_ids: Narrowed<string[], ColumnTypes['product_versions.server_ids']>;
  lines: Narrowed<unknown, ColumnTypes['product_versions.lines']>;
  limits: Narrowed<unknown, ColumnTypes['product_versions.limits']>;
  created_at: Narrowed<Date, ColumnTypes['product_versions.created_at']>;
  price_schedule: Narrowed<unknown, ColumnTypes['product_versions.price_schedule']>;
  /** Who approved its commands, as the audit log names them; `update`: it is older than approvals. Null: no one. */
  approved_by: Narrowed<string | null, ColumnTypes['product_versions.approved_by']>;
  approved_name: Narrowed<string | null, ColumnTypes['product_versions.approved_name']>;
  approved_at: Narrowed<Date | null, ColumnTypes['product_versions.approved_at']>;
}

export interface ProductsTable {
  id: string;
  /** The current row of `product_versions`. */
  version: Generated<number>;
  is_enabled: Generated<boolean>;
  /** Null: any number. */
  stock: number | null;
  /** The sale stopped by itself until a person has checked it. */
  held_at: Date | null;
  held_reason: string | null;
  archived_at: Date | null;
  created_at: Narrowed<Date, ColumnTypes['products.created_at']>;
  /** The code for buying it in the chat of games. */
  short_code: string | null;
  /** Its place within its category; products that were never ordered share one place, and come last, by name. */
  position: Generated<number>;
  /** What a new season does with it. */
  on_wipe: Generated<'nothing' | 'regrant'>;
  /** The most pieces that a new season gives a member again; null: all. */
  regrant_most: number | null;
  /** Earlier orders count towards no limit; a new season sets it. */
  limits_since: Narrowed<Date | null, ColumnTypes['products.limits_since']>;
}

/** What is known about the clock: one row, from the first look on. */
export interface ProvenTimeTable {
  is_only: Narrowed<boolean, ColumnTypes['proven_time.is_only']>;
  /** What the database's clock showed at the last look. */
  seen_at: Date;
  /** When the machine was started, by that clock: it changes when the clock is set. */
  booted_at: Date;
  /** The latest time that was proven. */
  trusted_at: Date;
  /** How far the clock is ahead of what is proven. */
  unproven_ms: Narrowed<string, ColumnTypes['proven_time.unproven_ms']>;
  /** What began then or later is measured by the new time alone; null: nothing is unproven. */
  jumped_at: Date | null;
  /** The clock is believed from then on, by its own time. */
  until: Date | null;
}

/** Outlives the jobs themselves: pg-boss deletes old ones. */
export interface QueueFailuresTable {
  queue: string;
  /** Failed tries since the queue was created; a bigint, as text. */
  failures_total: Narrowed<string, ColumnTypes['queue_failures.failures_total']>;
}

/** Queues that take no new jobs. */
export interface QueuePausesTable {
  queue: string;
  paused_at: Narrowed<Date, ColumnTypes['queue_pauses.paused_at']>;
  actor: string;
  actor_name: string | null;
}

/** Using a code deletes it. */
export interface RecoveryCodesTable {
  admin_id: string;
  code_hash: Buffer;
}

/** At most one run per server is under way. */
export interface RestoreRunsTable {
  id: string;
  server_id: string;
  action: 'restore' | 'undo';
  backup: string;
  /** The request, as JSON: the same key with another request is refused. */
  request: string;
  countdown_seconds: number | null;
  starts: boolean;
  step: 'stopping' | 'restoring' | 'starting';
  /** The end of the step before, while the game is started again after it. */
  settled: 'done' | 'failed' | 'cancelled' | null;
  /** Since when the step cannot go on; null: it can. */
  waits_since: Date | null;
  actor: string;
  actor_name: string;
  address: string;
  idempotency_key: string | null;
  requested_at: Narrowed<Date, ColumnTypes['restore_runs.requested_at']>;
  outcome: 'done' | 'failed' | 'cancelled' | null;
  problem: Narrowed<string | null, ColumnTypes['restore_runs.problem']>;
  detail: string | null;
  ended_at: Date | null;
  /** From `makerReference`; null: the actor. */
  maker: string | null;
  /** Whether the game ran when it began; null: the previous release began it. */
  stops: boolean | null;
  /** Whether an event has told that it waits. */
  waits_told: Generated<boolean>;
}

export interface RewardClaimsTable {
  rule_id: string;
  member_id: string;
  day: string;
  streak: number;
  points: Narrowed<string, ColumnTypes['reward_claims.points']>;
}

export interface RewardCodeBatchesTable {
  id: string;
  /** bigint, as text; numbers the batches. */
  number: GeneratedAlways<string>;
  version: Generated<number>;
  name: string;
  points: Narrowed<string, ColumnTypes['reward_code_batches.points']>;
  most_uses: number | null;
  most_per_member: number;
  valid_from: Date | null;
  valid_until: Date | null;
  games: Narrowed<string[], ColumnTypes['reward_code_batches.games']>;
  server_ids: string[];
  is_enabled: Generated<boolean>;
  created_at: Narrowed<Date, ColumnTypes['reward_code_batches.created_at']>;
}

export interface RewardCodeUsesTable {
  code_id: string;
  member_id: string;
  /** Numbers this member's uses of the code. */
  nth: number;
  used_at: Narrowed<Date, ColumnTypes['reward_code_uses.used_at']>;
  /** The request that used it, so that a repetition finds it; null: it had no key. */
  request_key: string | null;
}

export interface RewardCodesTable {
  id: GeneratedAlways<string>;
  batch_id: string;
  /** As shown. */
  code: string;
  /** As compared. */
  code_key: string;
}

/** The parts of a session that intervals of a rule were paid for. */
export interface RewardCountedTimesTable {
  rule_id: string;
  session_id: string;
  /** tstzmultirange, as text. */
  counted: string;
}

export interface RewardFirstVisitsTable {
  rule_id: string;
  member_id: string;
  at: Narrowed<Date, ColumnTypes['reward_first_visits.at']>;
}

export interface RewardGiftsTable {
  id: string;
  from_member: string;
  to_member: string;
  points: Narrowed<string, ColumnTypes['reward_gifts.points']>;
  expires_at: Date;
  given_at: Date | null;
  day: Narrowed<string | null, ColumnTypes['reward_gifts.day']>;
}

export interface RewardGuessesTable {
  scope: string;
  subject: Buffer;
  tokens: number;
  counted_at: Date;
}

/** An interval that a member was online; without points if the day's limit was reached. */
export interface RewardIntervalsTable {
  rule_id: string;
  member_id: string;
  number: number;
  ended_at: Date;
  /** In the community's time zone; a date as text. */
  day: string;
  points: string;
}

/** What a rule gave during a period; at most one version of a rule is open. */
export interface RewardRuleVersionsTable {
  rule_id: string;
  version: number;
  name: string;
  kind: 'interval' | 'first-visit' | 'daily';
  terms: Narrowed<unknown, ColumnTypes['reward_rule_versions.terms']>;
  effective_from: Date;
  effective_until: Date | null;
}

export interface RewardRulesTable {
  id: string;
  version: Generated<number>;
  name: string;
  is_enabled: boolean;
  terms: Narrowed<unknown, ColumnTypes['reward_rules.terms']>;
  created_at: Narrowed<Date, ColumnTypes['reward_rules.created_at']>;
  archived_at: Date | null;
}

export interface RolesTable {
  /** For a built-in role, its name in contracts/identity/permissions.ts. */
  id: string;
  name: string;
  name_key: string;
  /** Null for a built-in role. May contain names that this version no longer knows. */
  permissions: string[] | null;
  version: Generated<number>;
}

/** At most one act per server is running. */
export interface SaveActsTable {
  id: string;
  server_id: string;
  action: 'backup' | 'restore' | 'undo' | 'confirm';
  /** The request, as JSON: the same key with another request is refused. */
  request: string;
  /** Its name; for a new backup, null until it is made. */
  backup: string | null;
  /** In the audit log's terms. */
  actor: string;
  actor_name: string;
  address: string;
  idempotency_key: string | null;
  requested_at: Narrowed<Date, ColumnTypes['save_acts.requested_at']>;
  is_cancelled: Narrowed<boolean, ColumnTypes['save_acts.is_cancelled']>;
  outcome: Narrowed<string | null, ColumnTypes['save_acts.outcome']>;
  detail: Narrowed<string | null, ColumnTypes['save_acts.detail']>;
  ended_at: Narrowed<Date | null, ColumnTypes['save_acts.ended_at']>;
}

export interface SavedCommandsTable {
  id: string;
  name: string;
  name_key: string;
  command: string;
  game: Narrowed<string | null, ColumnTypes['saved_commands.game']>;
  version: Generated<number>;
}

/** What people asked for in the panel; null columns: the machine's own schedule. Version 0: nothing yet. */
export interface SavesSchedulesTable {
  server_id: string;
  version: number;
  at_minute: number | null;
  keep: number | null;
  days: number | null;
  changed_by: string;
  changed_at: Narrowed<Date, ColumnTypes['saves_schedules.changed_at']>;
  /** Why the agent did not take this version, in its words. */
  failure: string | null;
}

/** One thing that a season does, for one member, product, or both. */
export interface SeasonStepsTable {
  id: GeneratedAlways<string>;
  season_id: string;
  kind: 'balance' | 'limit' | 'regrant';
  /** The member when the season began; readers follow merges. */
  member_id: string | null;
  product_id: string | null;
  /** Pieces that are given again. */
  quantity: number | null;
  /** Points that are taken, bigint as text: first the planned, then the actual number. */
  points: Narrowed<string | null, ColumnTypes['season_steps.points']>;
  state: Generated<'waiting' | 'done' | 'skipped' | 'undone'>;
  next_try_at: Generated<Date>;
  tries: Generated<number>;
  detail: string | null;
  order_id: string | null;
  entry_id: string | null;
  undo_entry_id: string | null;
  limits_since_was: Date | null;
  /** Counts from 1: pieces too many for one order are given by several steps. */
  part: Generated<number>;
}

export interface SeasonsTable {
  id: string;
  /** The order in which they began; bigint as text. */
  number: GeneratedAlways<string>;
  name: string;
  game: Narrowed<string, ColumnTypes['seasons.game']>;
  /** As chosen; both empty: every server of the game. */
  cluster_ids: Narrowed<string[], ColumnTypes['seasons.cluster_ids']>;
  server_ids: Narrowed<string[], ColumnTypes['seasons.server_ids']>;
  /** The servers in scope when it began; null: every server of the game. */
  scope_server_ids: string[] | null;
  /** The time of the wipe: earlier deliveries are lost, and limits count from here on. */
  began_at: Date;
  created_at: Narrowed<Date, ColumnTypes['seasons.created_at']>;
  balances: Narrowed<unknown, ColumnTypes['seasons.balances']>;
  announcement: Narrowed<unknown, ColumnTypes['seasons.announcement']>;
  state: Narrowed<'running' | 'done' | 'undoing' | 'undone', ColumnTypes['seasons.state']>;
  announced_at: Date | null;
  ended_at: Date | null;
  undone_at: Date | null;
  actor: string;
  actor_name: string | null;
  undone_by: string | null;
}

/** One row per run that seals all secrets again. */
export interface SecretReencryptionsTable {
  id: GeneratedAlways<string>;
  requested_at: Narrowed<Date, ColumnTypes['secret_reencryptions.requested_at']>;
  /** Written as JSON text. */
  requested_by: Narrowed<unknown, ColumnTypes['secret_reencryptions.requested_by']>;
  /** Null until it runs. */
  total: number | null;
  done: Generated<number>;
  failed: Generated<number>;
  ended_at: Date | null;
}

/** Sums and counts of the samples in a step; a count of zero means unknown. */
export interface ServerFiguresTable {
  server_id: string;
  step_seconds: number;
  /** The start of the step. */
  at: Date;
  players_sum: Narrowed<number, ColumnTypes['server_figures.players_sum']>;
  players_count: Narrowed<number, ColumnTypes['server_figures.players_count']>;
  answer_ms_sum: Narrowed<number, ColumnTypes['server_figures.answer_ms_sum']>;
  answer_ms_count: Narrowed<number, ColumnTypes['server_figures.answer_ms_count']>;
}

/** A role's permissions on servers, granted to an admin for one of them. */
export interface ServerGrantsTable {
  admin_id: string;
  server_id: string;
  role: string;
}

/** What an agent last reported about a server's mods. */
export interface ServerModsTable {
  server_id: string;
  list: Narrowed<unknown, ColumnTypes['server_mods.list']>;
  listed_at: Date;
}

/** What an agent last reported about a game's process, as far as the event log has it. */
export interface ServerProcessesTable {
  server_id: string;
  report: Narrowed<unknown, ColumnTypes['server_processes.report']>;
  reported_at: Date;
  /** The time of the report's last crash; null: there was none. */
  crash_at: Date | null;
}

/** What an agent last reported about a server's backups, and which events followed. */
export interface ServerSavesTable {
  server_id: string;
  list: Narrowed<unknown, ColumnTypes['server_saves.list']>;
  listed_at: Date;
  /** The newest backup reported, at most as far ahead as this machine's clock; null: none was. */
  told_until: Date | null;
  /** The last failed nightly backup that was reported. */
  nightly_failure_at: Date | null;
}

export interface SessionsTable {
  /** Identifies the session to people; opens nothing. */
  id: string;
  token_hash: Buffer;
  admin_id: string;
  created_at: Narrowed<Date, ColumnTypes['sessions.created_at']>;
  /** To the minute. */
  last_used_at: Generated<Date>;
  address: string;
  user_agent: string;
  /** When the person last showed the password or second factor again. */
  stepped_up_at: Narrowed<Date | null, ColumnTypes['sessions.stepped_up_at']>;
}

/** One row per section that was ever saved. */
export interface SettingsTable {
  section: string;
  /** Rises with each save; a save based on an older one is refused. */
  version: Generated<number>;
  /** The plain fields that were ever saved; the others have their initial value. Written as JSON text. */
  values: Narrowed<unknown, ColumnTypes['settings.values']>;
}

/** One row per sensitive field that is set. */
export interface SettingsSecretsTable {
  section: string;
  field: string;
  /** Encrypted with the installation's key. */
  sealed: string;
}

/** At most one row, and none once there is an owner. */
export interface SetupLinkTable {
  only_one: Generated<boolean>;
  token_hash: Buffer;
}

export interface ShopEventsTable {
  shop_id: string;
  event_id: string;
  type: string;
  /** Covers everything that is kept of the event. */
  digest: Buffer;
  refs: string[];
  facts: Narrowed<unknown, ColumnTypes['shop_events.facts']>;
  arrived_at: Narrowed<Date, ColumnTypes['shop_events.arrived_at']>;
  shop_order_id: string | null;
  conflicts: Generated<number>;
}

/** Written by a trigger when a delivery is undone, or counts again; the sweep processes it. */
export interface ShopOrderNewsTable {
  id: GeneratedAlways<string>;
  /** The store's order. */
  order_id: string;
}

export interface ShopOrdersTable {
  id: string;
  number: GeneratedAlways<string>;
  shop_id: string;
  external_id: string;
  refs: string[];
  /** Incremented by every event and decision. */
  version: Generated<number>;
  state: Generated<'open' | 'waiting' | 'person' | 'given' | 'taken-back' | 'not-given' | 'set-aside'>;
  reason: Narrowed<string | null, ColumnTypes['shop_orders.reason']>;
  detail: Generated<string>;
  /** The reason together with its subject: a decision applies only to this. */
  reason_key: string | null;
  decisions: Narrowed<unknown, ColumnTypes['shop_orders.decisions']>;
  /** Chosen by a person; bigint as text. */
  receiver_id: string | null;
  /** While it waits for a player: the platform ids, or the name's key in a game, that would identify them. */
  seen_ids: Generated<string[]>;
  seen_name: string | null;
  seen_game: Narrowed<string | null, ColumnTypes['shop_orders.seen_game']>;
  /** The store order placed for it; if each was taken back before the next, the last one. */
  order_id: string | null;
  given: Narrowed<unknown, ColumnTypes['shop_orders.given']>;
  times_given: Generated<number>;
  /** That order was refunded as a whole, and what it gave has been taken back as far as possible. */
  is_taken: Generated<boolean>;
  /** Products of that order that were refunded separately. */
  taken_products: Generated<string[]>;
  created_at: Narrowed<Date, ColumnTypes['shop_orders.created_at']>;
  /** Orders that replaced what failed of that order. */
  added_order_ids: Generated<string[]>;
  /** That order, once taking it back has begun: this runs to the end, whatever the shop reports in between. */
  taking_order_id: string | null;
  /** Set by a trigger; null: it is not taken back, or was before anyone was asked to look after it. */
  taken_back_at: Narrowed<Date | null, ColumnTypes['shop_orders.taken_back_at']>;
}

export interface ShopProductsTable {
  shop_id: string;
  outside_key: string;
  /** Null: nothing in a game. */
  product_id: string | null;
  quantity: number;
}

export interface ShopSecretsTable {
  id: string;
  shop_id: string;
  /** Sealed. */
  secret: string;
  created_at: Narrowed<Date, ColumnTypes['shop_secrets.created_at']>;
}

export interface ShopsTable {
  id: string;
  version: Generated<number>;
  kind: 'generic' | 'tebex' | 'stripe';
  name: string;
  is_enabled: boolean;
  game: Narrowed<string, ColumnTypes['shops.game']>;
  allows_names: boolean;
  checks_address: boolean;
  created_at: Narrowed<Date, ColumnTypes['shops.created_at']>;
  /** When an event was last refused, by reason; `field`: where in the event its shape was wrong, or null. */
  refused_at: Narrowed<unknown, ColumnTypes['shops.refused_at']>;
}

/** Since when a component is unwell, or a server in its state. */
export interface StateBeginningsTable {
  subject: string;
  state: string;
  since: Date;
}

/** One row. */
export interface StoreStateTable {
  id: Narrowed<boolean, ColumnTypes['store_state.id']>;
  /** Incremented at each restore of the database. */
  epoch: Generated<number>;
  /** Matches the file in the data folder; if not, the database is not the one this data folder last ran with. */
  incarnation: string | null;
  /** Expiry is suspended from then on. */
  unlicensed_since: Date | null;
  /** When it was last incremented; null: never. */
  epoch_since: Date | null;
}

/** The number by which ARK's commands identify a player on one server: that of the implant. */
export interface SurvivorNumbersTable {
  player_id: string;
  server_id: string;
  number: string;
  source: 'staff' | 'agent' | 'player';
  set_at: Generated<Date>;
  /** The file that the agent read it from; null for staff's numbers. */
  found_in: string | null;
}

/** Kinds of which something waits, and that were told as events. */
export interface WaitingKindsTable {
  kind: Narrowed<string, ColumnTypes['waiting_kinds.kind']>;
  since: Narrowed<Date, ColumnTypes['waiting_kinds.since']>;
}

/** Created with its member; only the ledger's trigger changes it. */
export interface WalletsTable {
  member_id: Narrowed<string, ColumnTypes['wallets.member_id']>;
  /** bigint, as text. */
  balance: Narrowed<string, ColumnTypes['wallets.balance']>;
}

export interface Tables {
  admins: AdminsTable;
  agent_commands: AgentCommandsTable;
  agent_enrolments: AgentEnrolmentsTable;
  agent_reports: AgentReportsTable;
  agent_tasks: AgentTasksTable;
  api_keys: ApiKeysTable;
  api_processes: ApiProcessesTable;
  audit_logs: AuditLogsTable;
  ban_news: BanNewsTable;
  ban_places: BanPlacesTable;
  ban_servers: BanServersTable;
  bans: BansTable;
  chat_confirmations: ChatConfirmationsTable;
  chat_confirmed_players: ChatConfirmedPlayersTable;
  chat_forms: ChatFormsTable;
  chat_trusts: ChatTrustsTable;
  clusters: ClustersTable;
  command_masking: CommandMaskingTable;
  commands_in_flight: CommandsInFlightTable;
  community_logo: CommunityLogoTable;
  console_commands: ConsoleCommandsTable;
  console_lines: ConsoleLinesTable;
  counter_commands: CounterCommandsTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  delivery_counts: DeliveryCountsTable;
  desk_rules: DeskRulesTable;
  desktop_access: DesktopAccessTable;
  discord_admin_codes: DiscordAdminCodesTable;
  discord_admins: DiscordAdminsTable;
  discord_bought_roles: DiscordBoughtRolesTable;
  discord_chat_filter: DiscordChatFilterTable;
  discord_chat_lanes: DiscordChatLanesTable;
  discord_chat_relays: DiscordChatRelaysTable;
  discord_event_lanes: DiscordEventLanesTable;
  discord_event_rules: DiscordEventRulesTable;
  discord_guild_members: DiscordGuildMembersTable;
  discord_guild_reports: DiscordGuildReportsTable;
  discord_role_changes: DiscordRoleChangesTable;
  discord_role_rights: DiscordRoleRightsTable;
  discord_role_rules: DiscordRoleRulesTable;
  discord_settings: DiscordSettingsTable;
  discord_status_messages: DiscordStatusMessagesTable;
  discord_status_removals: DiscordStatusRemovalsTable;
  discord_whitelist_entries: DiscordWhitelistEntriesTable;
  discounts: DiscountsTable;
  encryption_keys: EncryptionKeysTable;
  entitlement_days: EntitlementDaysTable;
  entitlement_grants: EntitlementGrantsTable;
  entitlement_news: EntitlementNewsTable;
  entitlement_places: EntitlementPlacesTable;
  entitlements: EntitlementsTable;
  event_logs: EventLogsTable;
  figures: FiguresTable;
  game_agents: GameAgentsTable;
  game_servers: GameServersTable;
  item_confirmations: ItemConfirmationsTable;
  known_devices: KnownDevicesTable;
  ledger: LedgerTable;
  ledger_notes: LedgerNotesTable;
  member_link_codes: MemberLinkCodesTable;
  member_merges: MemberMergesTable;
  members: MembersTable;
  mod_checks: ModChecksTable;
  mod_dependencies: ModDependenciesTable;
  mod_jobs: ModJobsTable;
  mod_pins: ModPinsTable;
  mod_plans: ModPlansTable;
  mod_player_lists: ModPlayerListsTable;
  mod_sets: ModSetsTable;
  mod_uploads: ModUploadsTable;
  mod_wave_servers: ModWaveServersTable;
  mod_waves: ModWavesTable;
  order_line_stocks: OrderLineStocksTable;
  order_lines: OrderLinesTable;
  order_requests: OrderRequestsTable;
  orders: OrdersTable;
  own_items: OwnItemsTable;
  player_names: PlayerNamesTable;
  player_sessions: PlayerSessionsTable;
  players: PlayersTable;
  power_acts: PowerActsTable;
  product_pictures: ProductPicturesTable;
  product_versions: ProductVersionsTable;
  products: ProductsTable;
  proven_time: ProvenTimeTable;
  queue_failures: QueueFailuresTable;
  queue_pauses: QueuePausesTable;
  recovery_codes: RecoveryCodesTable;
  restore_runs: RestoreRunsTable;
  reward_claims: RewardClaimsTable;
  reward_code_batches: RewardCodeBatchesTable;
  reward_code_uses: RewardCodeUsesTable;
  reward_codes: RewardCodesTable;
  reward_counted_times: RewardCountedTimesTable;
  reward_first_visits: RewardFirstVisitsTable;
  reward_gifts: RewardGiftsTable;
  reward_guesses: RewardGuessesTable;
  reward_intervals: RewardIntervalsTable;
  reward_rule_versions: RewardRuleVersionsTable;
  reward_rules: RewardRulesTable;
  roles: RolesTable;
  save_acts: SaveActsTable;
  saved_commands: SavedCommandsTable;
  saves_schedules: SavesSchedulesTable;
  season_steps: SeasonStepsTable;
  seasons: SeasonsTable;
  secret_reencryptions: SecretReencryptionsTable;
  server_figures: ServerFiguresTable;
  server_grants: ServerGrantsTable;
  server_mods: ServerModsTable;
  server_processes: ServerProcessesTable;
  server_saves: ServerSavesTable;
  sessions: SessionsTable;
  settings: SettingsTable;
  settings_secrets: SettingsSecretsTable;
  setup_link: SetupLinkTable;
  shop_events: ShopEventsTable;
  shop_order_news: ShopOrderNewsTable;
  shop_orders: ShopOrdersTable;
  shop_products: ShopProductsTable;
  shop_secrets: ShopSecretsTable;
  shops: ShopsTable;
  state_beginnings: StateBeginningsTable;
  store_state: StoreStateTable;
  survivor_numbers: SurvivorNumbersTable;
  waiting_kinds: WaitingKindsTable;
  wallets: WalletsTable;
}
