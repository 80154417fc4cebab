import type { ColumnType, GeneratedAlways, JSONColumnType, RawBuilder } from 'kysely';
import type { RoleChangeReason, RoleObstacle } from '#contracts/discord/discord-roles.ts';
import type { StatusJoin } from '#contracts/discord/discord-status.ts';
import type { EventKindName } from '#contracts/kernel/event-kinds.ts';
import type { ProgramFault } from '#contracts/kernel/program-faults.ts';
import type { ModSet, PlanFault, PlanLine } from '#contracts/mods/mods.ts';
import type { Severity } from '#contracts/operations/event-row.ts';
import type { WaitingKind } from '#contracts/operations/waiting.ts';
import type { EnrolmentAnswer } from '#contracts/servers/agent-enrolment.ts';
import type { InspectedMod, ModsChange, ModsChanged, ModsList } from '#contracts/servers/agent-mods.ts';
import type {
  AgentTask,
  AgentTaskKind,
  MachineFacts,
  ProcessReport,
  TaskProgress,
  TaskResult,
} from '#contracts/servers/agent-tasks.ts';
import type { taskStates } from '#contracts/servers/agent-tasks-http.ts';
import type { CommandOutcome, CommandResult, GameId } from '#contracts/servers/games.ts';
import type { RestoreRun } from '#contracts/servers/saves.ts';
import type { RewardTerms } from '#contracts/store/rewards.ts';
import type { Season, SeasonBalances, SeasonState } from '#contracts/store/seasons.ts';
import type { DeliveryLine, ProductLimits, ProductLine, ScheduledPrice } from '#contracts/store/store.ts';
import type { ShopOrderReason } from '#contracts/storefronts/shop-order-reasons.ts';
import type { ShopRefusalKind } from '#contracts/storefronts/shops.ts';
import type {
  CheckFindings,
  GivenLine,
  PostContent,
  ProvenSet,
  Requester,
  SavesList,
  ShopDecision,
  ShopFacts,
} from './stored-values.ts';

type NullableJson<Value extends object> = JSONColumnType<Value | null, string | null, string | null>;
type TaskState = (typeof taskStates)[number];

/**
 * What the schema does not know of columns: what their JSON and text is, and what is never written, or only in one form. tables.ts has
 * everything else; where a check lists a column's values, that is their type. JSON is written as text.
 */
export interface ColumnTypes {
  'admins.totp_last_step': ColumnType<string | null, never, number | null>;
  'admins.created_at': GeneratedAlways<Date>;
  'agent_commands.created_at': GeneratedAlways<Date>;
  'agent_commands.result': NullableJson<CommandResult>;
  'agent_enrolments.answer': NullableJson<EnrolmentAnswer>;
  'agent_reports.machine': JSONColumnType<MachineFacts>;
  'agent_reports.process': NullableJson<ProcessReport>;
  'agent_tasks.kind': AgentTaskKind;
  'agent_tasks.request': JSONColumnType<AgentTask>;
  'agent_tasks.state': ColumnType<TaskState, undefined, TaskState>;
  'agent_tasks.progress': NullableJson<TaskProgress>;
  'agent_tasks.result': NullableJson<TaskResult>;
  'agent_tasks.created_at': GeneratedAlways<Date>;
  'api_keys.created_at': GeneratedAlways<Date>;
  'api_keys.last_used_at': ColumnType<Date | null, never, Date>;
  'audit_logs.at': GeneratedAlways<Date>;
  'audit_logs.actor': ColumnType<string, string, never>;
  'audit_logs.action': ColumnType<string, string, never>;
  'audit_logs.target': ColumnType<string | null, string | null, never>;
  'audit_logs.detail': ColumnType<Record<string, unknown>, string | undefined, never>;
  'audit_logs.address': ColumnType<string | null, string, never>;
  'audit_logs.actor_name': ColumnType<string | null, string, never>;
  'audit_logs.before': ColumnType<unknown, string | null, never>;
  'audit_logs.after': ColumnType<unknown, string | null, never>;
  'ban_places.id': GeneratedAlways<string>;
  'ban_places.outcome': CommandOutcome | null;
  'bans.game': GameId;
  'chat_confirmations.asked': ColumnType<unknown, string, never>;
  'chat_confirmations.created_at': ColumnType<Date, Date | undefined, never>;
  'chat_trusts.ended_by': ColumnType<'address' | 'agent' | null, null | undefined, null>;
  'chat_trusts.origin_since': GeneratedAlways<Date | null>;
  'clusters.created_at': GeneratedAlways<Date>;
  'command_masking.source': 'agent_commands' | 'console_commands';
  'command_masking.is_done': boolean;
  'console_commands.at': GeneratedAlways<Date>;
  'console_commands.outcome': CommandOutcome | null;
  'console_commands.revised_from': CommandOutcome | null;
  'console_commands.order_id': ColumnType<string | null, string | null, never>;
  'console_commands.product_id': ColumnType<string | null, string | null, never>;
  'console_commands.approved_by': ColumnType<string | null, string | null, never>;
  'console_commands.approved_name': ColumnType<string | null, string | null, never>;
  'deliveries.id': ColumnType<string, string | undefined, never>;
  'deliveries.created_at': GeneratedAlways<Date>;
  'deliveries.game': GameId;
  'deliveries.line': ColumnType<DeliveryLine, string, never>;
  'deliveries.points': ColumnType<string, string | number, never>;
  'deliveries.job_state': GeneratedAlways<
    'created' | 'retry' | 'active' | 'completed' | 'failed' | 'cancelled'
  >;
  'deliveries.asking_player_id': ColumnType<string | null, string | null, never>;
  'deliveries.asking_server_id': ColumnType<string | null, string | null, never>;
  'deliveries.approved_by': ColumnType<string | null, string | null, never>;
  'deliveries.approved_name': ColumnType<string | null, string | null, never>;
  'delivery_attempts.began_at': GeneratedAlways<Date>;
  'delivery_attempts.outcome': CommandOutcome | null;
  'delivery_attempts.evidence': ColumnType<Readonly<Record<string, unknown>>, string | undefined, string>;
  'delivery_counts.count': GeneratedAlways<string>;
  'desk_rules.created_at': GeneratedAlways<Date>;
  'desktop_access.created_at': GeneratedAlways<Date>;
  'desktop_access.last_used_at': ColumnType<Date | null, never, Date>;
  'desktop_access.was_api_key': GeneratedAlways<boolean>;
  'discord_chat_lanes.post_content': NullableJson<PostContent>;
  'discord_chat_relays.to_discord_at': ColumnType<Date | null, never, Date>;
  'discord_chat_relays.to_game_at': ColumnType<Date | null, never, Date>;
  'discord_chat_relays.created_at': GeneratedAlways<Date>;
  'discord_event_lanes.posted_at': ColumnType<Date | null, never, Date | null>;
  'discord_event_rules.kinds': EventKindName[];
  'discord_event_rules.severities': Severity[];
  'discord_event_rules.created_at': GeneratedAlways<Date>;
  'discord_guild_members.role_ids': string[];
  'discord_role_changes.because': RoleChangeReason;
  'discord_role_changes.obstacle': RoleObstacle | null;
  'discord_role_rules.amount': ColumnType<string | null, number | null, never>;
  'discord_role_rules.server_ids': string[];
  'discord_status_messages.joins': JSONColumnType<StatusJoin[]>;
  'discord_status_messages.created_at': GeneratedAlways<Date>;
  'discord_status_removals.opened_at': ColumnType<Date | null, Date | null, never>;
  'discord_status_removals.created_at': GeneratedAlways<Date>;
  'discounts.points_off': ColumnType<string | null, number | null, number | null>;
  'discounts.product_ids': string[];
  'discounts.categories': string[];
  'discounts.role_ids': string[];
  'discounts.is_enabled': boolean;
  'discounts.created_at': ColumnType<Date, Date | undefined, never>;
  'entitlement_days.day': ColumnType<string, string, never>;
  'entitlement_grants.seconds': ColumnType<string, string | number, never>;
  'entitlement_places.id': GeneratedAlways<string>;
  'entitlement_places.outcome': CommandOutcome | null;
  'entitlements.game': GameId;
  'entitlements.created_at': GeneratedAlways<Date>;
  'event_logs.at': ColumnType<Date, Date | undefined, never>;
  'event_logs.kind': ColumnType<string, string, never>;
  'event_logs.severity': ColumnType<Severity, Severity, never>;
  'event_logs.server_id': ColumnType<string | null, string | null, never>;
  'event_logs.payload': ColumnType<Record<string, unknown>, string, never>;
  'event_logs.written_in': GeneratedAlways<string>;
  'game_agents.last_event': ColumnType<string, number | undefined, number>;
  'game_servers.game': GameId;
  'game_servers.created_at': GeneratedAlways<Date>;
  'item_confirmations.game': GameId;
  'item_confirmations.confirmed_at': GeneratedAlways<Date>;
  'ledger.at': GeneratedAlways<Date>;
  'ledger.amount': ColumnType<string, string | number, never>;
  'member_merges.at': GeneratedAlways<Date>;
  'member_merges.points': ColumnType<string, string | number, never>;
  'member_merges.entries_before': ColumnType<string, unknown, never>;
  'member_merges.points_returned': ColumnType<string | null, never, string | null>;
  'members.created_at': ColumnType<Date, Date | undefined, never>;
  'mod_checks.found': NullableJson<CheckFindings>;
  'mod_jobs.change': JSONColumnType<ModsChange>;
  'mod_jobs.inverse': NullableJson<Pick<ModsChange, 'put' | 'remove'>>;
  'mod_jobs.lines': JSONColumnType<PlanLine[]>;
  'mod_jobs.requested_at': ColumnType<Date, never, unknown>;
  'mod_jobs.began_at': ColumnType<Date | null, never, unknown>;
  'mod_jobs.ended_at': ColumnType<Date | null, never, unknown>;
  'mod_jobs.outcome': TaskResult['outcome'] | null;
  'mod_jobs.result': NullableJson<ModsChanged>;
  'mod_jobs.proves': NullableJson<ProvenSet>;
  'mod_plans.base': ColumnType<string, number, never>;
  'mod_plans.change': JSONColumnType<Pick<ModsChange, 'put' | 'remove' | 'adopt'>>;
  'mod_plans.inverse': NullableJson<Pick<ModsChange, 'put' | 'remove'>>;
  'mod_plans.lines': JSONColumnType<PlanLine[]>;
  'mod_plans.faults': JSONColumnType<PlanFault[]>;
  'mod_plans.made_at': GeneratedAlways<Date>;
  'mod_plans.expires_at': ColumnType<Date, unknown, never>;
  'mod_sets.game': GameId;
  'mod_sets.items': JSONColumnType<ModSet['items']>;
  'mod_uploads.bytes': ColumnType<string, number, never>;
  'mod_uploads.received': ColumnType<string, never, number>;
  'mod_uploads.content': NullableJson<InspectedMod['content']>;
  'mod_uploads.begun_at': GeneratedAlways<Date>;
  'mod_uploads.begun_by': ColumnType<string | null, string, never>;
  'mod_uploads.reserved': ColumnType<string, never, number>;
  'mod_uploads.idle_until': ColumnType<Date | null, RawBuilder<Date>, RawBuilder<Date> | null>;
  'mod_wave_servers.faults': ColumnType<PlanFault[], string | undefined, string>;
  'order_line_stocks.oversold': number;
  'order_lines.unit_price': ColumnType<string, string | number, never>;
  'order_lines.created_at': ColumnType<Date, Date | undefined, never>;
  'order_lines.undone_at': ColumnType<Date | null, Date | null, never>;
  'order_lines.restocked_at': ColumnType<Date | null, Date | null, never>;
  'order_lines.oversold': ColumnType<number, number | undefined, never>;
  'order_requests.created_at': GeneratedAlways<Date>;
  'orders.created_at': ColumnType<Date, Date | undefined, never>;
  'orders.total': ColumnType<string, string | number, never>;
  'orders.discount_id': ColumnType<string | null, string | null, never>;
  'orders.discount_name': ColumnType<string | null, string | null, never>;
  'own_items.game': GameId;
  'player_sessions.recorded_at': GeneratedAlways<Date | null>;
  'players.game': GameId;
  'players.member_id': ColumnType<string, never, string>;
  'power_acts.requested_at': GeneratedAlways<Date>;
  'power_acts.is_cancelled': ColumnType<boolean, never, boolean>;
  'power_acts.outcome': ColumnType<TaskResult['outcome'] | null, never, TaskResult['outcome']>;
  'power_acts.detail': ColumnType<string | null, never, string | null>;
  'power_acts.ended_at': ColumnType<Date | null, never, unknown>;
  'power_acts.program': NullableJson<ProgramFault>;
  'product_versions.price': ColumnType<string, string | number, never>;
  'product_versions.game': GameId;
  'product_versions.cluster_ids': string[];
  'product_versions.server_ids': string[];
  'product_versions.lines': ColumnType<readonly ProductLine[], string, never>;
  'product_versions.limits': ColumnType<ProductLimits, string, never>;
  'product_versions.created_at': GeneratedAlways<Date>;
  'product_versions.price_schedule': ColumnType<readonly ScheduledPrice[], string | undefined, never>;
  'product_versions.approved_by': ColumnType<string | null, string | null, never>;
  'product_versions.approved_name': ColumnType<string | null, string | null, never>;
  'product_versions.approved_at': ColumnType<Date | null, Date | null, never>;
  'products.created_at': GeneratedAlways<Date>;
  'products.limits_since': ColumnType<Date | null, never, Date | null>;
  'proven_time.is_only': boolean;
  'proven_time.unproven_ms': string;
  'queue_failures.failures_total': string;
  'queue_pauses.paused_at': GeneratedAlways<Date>;
  'restore_runs.requested_at': GeneratedAlways<Date>;
  'restore_runs.problem': RestoreRun['problem'];
  'reward_claims.points': ColumnType<string, number, never>;
  'reward_code_batches.points': ColumnType<string, number, never>;
  'reward_code_batches.games': GameId[];
  'reward_code_batches.created_at': GeneratedAlways<Date>;
  'reward_code_uses.used_at': GeneratedAlways<Date>;
  'reward_first_visits.at': GeneratedAlways<Date>;
  'reward_gifts.points': ColumnType<string, number, never>;
  'reward_gifts.day': ColumnType<string | null, never, unknown>;
  'reward_rule_versions.terms': JSONColumnType<RewardTerms>;
  'reward_rules.terms': JSONColumnType<RewardTerms>;
  'reward_rules.created_at': GeneratedAlways<Date>;
  'save_acts.requested_at': GeneratedAlways<Date>;
  'save_acts.is_cancelled': ColumnType<boolean, never, boolean>;
  'save_acts.outcome': ColumnType<TaskResult['outcome'] | null, never, TaskResult['outcome']>;
  'save_acts.detail': ColumnType<string | null, never, string | null>;
  'save_acts.ended_at': ColumnType<Date | null, never, unknown>;
  'saved_commands.game': GameId | null;
  'saves_schedules.changed_at': ColumnType<Date, never, Date>;
  'season_steps.points': ColumnType<string | null, string | number | null, string | number | null>;
  'seasons.game': GameId;
  'seasons.cluster_ids': string[];
  'seasons.server_ids': string[];
  'seasons.created_at': GeneratedAlways<Date>;
  'seasons.balances': ColumnType<SeasonBalances, string, never>;
  'seasons.announcement': ColumnType<Season['announcement'], string, never>;
  'seasons.state': ColumnType<SeasonState, undefined, SeasonState>;
  'secret_reencryptions.requested_at': GeneratedAlways<Date>;
  'secret_reencryptions.requested_by': ColumnType<Requester, string, never>;
  'server_figures.players_sum': number;
  'server_figures.players_count': number;
  'server_figures.answer_ms_sum': number;
  'server_figures.answer_ms_count': number;
  'server_mods.list': JSONColumnType<ModsList>;
  'server_processes.report': JSONColumnType<ProcessReport>;
  'server_saves.list': JSONColumnType<SavesList>;
  'sessions.created_at': GeneratedAlways<Date>;
  'sessions.stepped_up_at': ColumnType<Date | null, never, Date>;
  'settings.values': ColumnType<Record<string, unknown>, string | undefined, string>;
  'shop_events.facts': JSONColumnType<ShopFacts>;
  'shop_events.arrived_at': GeneratedAlways<Date>;
  'shop_orders.reason': ShopOrderReason | null;
  'shop_orders.decisions': ColumnType<Readonly<Record<string, ShopDecision>>, string | undefined, string>;
  'shop_orders.seen_game': GameId | null;
  'shop_orders.given': NullableJson<readonly GivenLine[]>;
  'shop_orders.created_at': GeneratedAlways<Date>;
  'shop_orders.taken_back_at': GeneratedAlways<Date | null>;
  'shop_secrets.created_at': GeneratedAlways<Date>;
  'shops.game': GameId;
  'shops.created_at': GeneratedAlways<Date>;
  'shops.refused_at': ColumnType<
    Readonly<Partial<Record<ShopRefusalKind, string>>> & { readonly field?: string | null },
    never,
    string
  >;
  'store_state.id': GeneratedAlways<boolean>;
  'waiting_kinds.kind': WaitingKind;
  'waiting_kinds.since': GeneratedAlways<Date>;
  'wallets.member_id': GeneratedAlways<string>;
  'wallets.balance': GeneratedAlways<string>;
}
