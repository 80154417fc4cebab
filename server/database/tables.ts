import type {
  AdminsTable,
  RecoveryCodesTable,
  ServerGrantsTable,
  SetupLinkTable,
} from '../admins/admins.tables.ts';
import type { AgentReportsTable, AgentTasksTable } from '../agent-tasks/agent-tasks.tables.ts';
import type { AgentCommandsTable, AgentEnrolmentsTable, GameAgentsTable } from '../agents/agents.tables.ts';
import type { ApiKeysTable } from '../api-keys/api-keys.tables.ts';
import type { AuditLogsTable } from '../audit/audit.tables.ts';
import type { BanNewsTable, BanPlacesTable, BanServersTable, BansTable } from '../bans/bans.tables.ts';
import type {
  ItemConfirmationsTable,
  OwnItemsTable,
  ProductPicturesTable,
  ProductsTable,
  ProductVersionsTable,
} from '../catalogue/catalogue.tables.ts';
import type { ChatConfirmationsTable } from '../chat-commands/chat-confirmations.tables.ts';
import type { ChatFormsTable } from '../chat-forms/chat-forms.tables.ts';
import type {
  DiscordChatFilterTable,
  DiscordChatLanesTable,
  DiscordChatRelaysTable,
} from '../chat-relay/chat-relay.tables.ts';
import type { ChatConfirmedPlayersTable, ChatTrustsTable } from '../chat-trust/chat-trust.tables.ts';
import type { ApiProcessesTable, CommandsInFlightTable } from '../commands/commands.tables.ts';
import type { CommunityLogoTable } from '../community/community.tables.ts';
import type {
  CommandMaskingTable,
  ConsoleCommandsTable,
  ConsoleLinesTable,
  SavedCommandsTable,
} from '../console/console.tables.ts';
import type {
  CounterCommandsTable,
  DeliveriesTable,
  DeliveryAttemptsTable,
  DeliveryCountsTable,
  DeskRulesTable,
  StoreStateTable,
  SurvivorNumbersTable,
} from '../deliveries/deliveries.tables.ts';
import type { DesktopAccessTable } from '../desktop-access/desktop-access.tables.ts';
import type { DiscordSettingsTable } from '../discord/discord.tables.ts';
import type {
  DiscordEventLanesTable,
  DiscordEventRulesTable,
} from '../discord-events/discord-events.tables.ts';
import type {
  DiscordGuildMembersTable,
  DiscordGuildReportsTable,
} from '../discord-guild/discord-guild.tables.ts';
import type {
  DiscordAdminCodesTable,
  DiscordAdminsTable,
  DiscordRoleRightsTable,
} from '../discord-rights/discord-rights.tables.ts';
import type {
  DiscordRoleChangesTable,
  DiscordRoleRulesTable,
  DiscordWhitelistEntriesTable,
} from '../discord-roles/discord-roles.tables.ts';
import type {
  DiscordStatusMessagesTable,
  DiscordStatusRemovalsTable,
} from '../discord-status/discord-status.tables.ts';
import type { DiscountsTable } from '../discounts/discounts.tables.ts';
import type {
  EntitlementDaysTable,
  EntitlementGrantsTable,
  EntitlementNewsTable,
  EntitlementPlacesTable,
  EntitlementsTable,
} from '../entitlements/entitlements.tables.ts';
import type { EventLogsTable } from '../events/events.tables.ts';
import type { ClustersTable, GameServersTable } from '../game-servers/game-servers.tables.ts';
import type { MemberLinkCodesTable, MemberMergesTable, MembersTable } from '../members/members.tables.ts';
import type { MetricHistoryTable } from '../metric-history/metric-history.tables.ts';
import type {
  ModDependenciesTable,
  ModJobsTable,
  ModPinsTable,
  ModPlansTable,
  ModUploadsTable,
  ServerModsTable,
} from '../mods/mods.tables.ts';
import type { ModPlayerListsTable } from '../mods/player-list/player-list.tables.ts';
import type { ModSetsTable } from '../mods/sets/sets.tables.ts';
import type { ModChecksTable } from '../mods/updates/updates.tables.ts';
import type { ModWaveServersTable, ModWavesTable } from '../mods/waves/waves.tables.ts';
import type { WaitingKindsTable } from '../operations/waiting.tables.ts';
import type {
  OrderLineStocksTable,
  OrderLinesTable,
  OrderRequestsTable,
  OrdersTable,
} from '../orders/orders.tables.ts';
import type { PlayerNamesTable, PlayerSessionsTable, PlayersTable } from '../players/players.tables.ts';
import type { LedgerNotesTable, LedgerTable, WalletsTable } from '../points/points.tables.ts';
import type { PowerActsTable, ServerProcessesTable } from '../power/power.tables.ts';
import type { QueueFailuresTable, QueuePausesTable } from '../queues/queues.tables.ts';
import type {
  RewardClaimsTable,
  RewardCodeBatchesTable,
  RewardCodesTable,
  RewardCodeUsesTable,
  RewardCountedTimesTable,
  RewardFirstVisitsTable,
  RewardGiftsTable,
  RewardIntervalsTable,
  RewardRulesTable,
  RewardRuleVersionsTable,
} from '../rewards/rewards.tables.ts';
import type { RolesTable } from '../roles/roles.tables.ts';
import type {
  RestoreRunsTable,
  SaveActsTable,
  SavesSchedulesTable,
  ServerSavesTable,
} from '../saves/saves.tables.ts';
import type { SeasonStepsTable, SeasonsTable } from '../seasons/seasons.tables.ts';
import type { EncryptionKeysTable, SecretReencryptionsTable } from '../secrets/secrets.tables.ts';
import type { ServerFiguresTable } from '../server-figures/server-figures.tables.ts';
import type { KnownDevicesTable, SessionsTable } from '../sessions/sessions.tables.ts';
import type { SettingsSecretsTable, SettingsTable } from '../settings/settings.tables.ts';
import type {
  ShopEventsTable,
  ShopOrderNewsTable,
  ShopOrdersTable,
  ShopProductsTable,
  ShopSecretsTable,
  ShopsTable,
} from '../shops/shops.tables.ts';
import type { ProvenTimeTable } from './proven-time.tables.ts';
import type { StateBeginningsTable } from './state-beginnings.tables.ts';

export interface Tables {
  admins: AdminsTable;
  api_keys: ApiKeysTable;
  api_processes: ApiProcessesTable;
  desktop_access: DesktopAccessTable;
  discord_admin_codes: DiscordAdminCodesTable;
  discord_admins: DiscordAdminsTable;
  discord_guild_members: DiscordGuildMembersTable;
  discord_guild_reports: DiscordGuildReportsTable;
  discord_role_rights: DiscordRoleRightsTable;
  discord_role_changes: DiscordRoleChangesTable;
  discord_role_rules: DiscordRoleRulesTable;
  discord_settings: DiscordSettingsTable;
  discord_whitelist_entries: DiscordWhitelistEntriesTable;
  discord_chat_filter: DiscordChatFilterTable;
  discord_chat_lanes: DiscordChatLanesTable;
  discord_chat_relays: DiscordChatRelaysTable;
  discord_event_rules: DiscordEventRulesTable;
  discord_event_lanes: DiscordEventLanesTable;
  discord_status_messages: DiscordStatusMessagesTable;
  discord_status_removals: DiscordStatusRemovalsTable;
  known_devices: KnownDevicesTable;
  recovery_codes: RecoveryCodesTable;
  roles: RolesTable;
  server_grants: ServerGrantsTable;
  sessions: SessionsTable;
  setup_link: SetupLinkTable;
  audit_logs: AuditLogsTable;
  event_logs: EventLogsTable;
  figures: MetricHistoryTable;
  clusters: ClustersTable;
  game_servers: GameServersTable;
  command_masking: CommandMaskingTable;
  commands_in_flight: CommandsInFlightTable;
  community_logo: CommunityLogoTable;
  console_commands: ConsoleCommandsTable;
  console_lines: ConsoleLinesTable;
  server_figures: ServerFiguresTable;
  saved_commands: SavedCommandsTable;
  game_agents: GameAgentsTable;
  agent_commands: AgentCommandsTable;
  agent_tasks: AgentTasksTable;
  agent_reports: AgentReportsTable;
  mod_sets: ModSetsTable;
  mod_waves: ModWavesTable;
  mod_wave_servers: ModWaveServersTable;
  mod_checks: ModChecksTable;
  mod_player_lists: ModPlayerListsTable;
  power_acts: PowerActsTable;
  server_processes: ServerProcessesTable;
  save_acts: SaveActsTable;
  restore_runs: RestoreRunsTable;
  server_saves: ServerSavesTable;
  saves_schedules: SavesSchedulesTable;
  server_mods: ServerModsTable;
  mod_plans: ModPlansTable;
  mod_jobs: ModJobsTable;
  mod_pins: ModPinsTable;
  mod_uploads: ModUploadsTable;
  mod_dependencies: ModDependenciesTable;
  agent_enrolments: AgentEnrolmentsTable;
  players: PlayersTable;
  player_names: PlayerNamesTable;
  player_sessions: PlayerSessionsTable;
  bans: BansTable;
  ban_news: BanNewsTable;
  ban_places: BanPlacesTable;
  ban_servers: BanServersTable;
  members: MembersTable;
  member_link_codes: MemberLinkCodesTable;
  member_merges: MemberMergesTable;
  wallets: WalletsTable;
  ledger: LedgerTable;
  ledger_notes: LedgerNotesTable;
  products: ProductsTable;
  product_versions: ProductVersionsTable;
  product_pictures: ProductPicturesTable;
  own_items: OwnItemsTable;
  item_confirmations: ItemConfirmationsTable;
  discounts: DiscountsTable;
  orders: OrdersTable;
  order_lines: OrderLinesTable;
  order_line_stocks: OrderLineStocksTable;
  order_requests: OrderRequestsTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  counter_commands: CounterCommandsTable;
  delivery_counts: DeliveryCountsTable;
  seasons: SeasonsTable;
  season_steps: SeasonStepsTable;
  survivor_numbers: SurvivorNumbersTable;
  desk_rules: DeskRulesTable;
  entitlements: EntitlementsTable;
  entitlement_days: EntitlementDaysTable;
  entitlement_grants: EntitlementGrantsTable;
  entitlement_news: EntitlementNewsTable;
  entitlement_places: EntitlementPlacesTable;
  store_state: StoreStateTable;
  chat_confirmations: ChatConfirmationsTable;
  chat_forms: ChatFormsTable;
  chat_trusts: ChatTrustsTable;
  chat_confirmed_players: ChatConfirmedPlayersTable;
  queue_pauses: QueuePausesTable;
  queue_failures: QueueFailuresTable;
  secret_reencryptions: SecretReencryptionsTable;
  encryption_keys: EncryptionKeysTable;
  shops: ShopsTable;
  shop_secrets: ShopSecretsTable;
  shop_products: ShopProductsTable;
  shop_orders: ShopOrdersTable;
  shop_order_news: ShopOrderNewsTable;
  shop_events: ShopEventsTable;
  reward_claims: RewardClaimsTable;
  reward_code_batches: RewardCodeBatchesTable;
  reward_codes: RewardCodesTable;
  reward_code_uses: RewardCodeUsesTable;
  reward_counted_times: RewardCountedTimesTable;
  reward_first_visits: RewardFirstVisitsTable;
  reward_gifts: RewardGiftsTable;
  reward_intervals: RewardIntervalsTable;
  reward_rules: RewardRulesTable;
  reward_rule_versions: RewardRuleVersionsTable;
  settings: SettingsTable;
  settings_secrets: SettingsSecretsTable;
  proven_time: ProvenTimeTable;
  waiting_kinds: WaitingKindsTable;
  state_beginnings: StateBeginningsTable;
}
