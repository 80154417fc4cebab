import type {
  AdminsTable,
  RecoveryCodesTable,
  ServerGrantsTable,
  SetupLinkTable,
} from '../admins/admins.tables.ts';
import type { AgentCommandsTable, GameAgentsTable } from '../agents/agents.tables.ts';
import type { ApiKeysTable } from '../api-keys/api-keys.tables.ts';
import type { AuditLogsTable } from '../audit/audit.tables.ts';
import type { ConsoleCommandsTable, SavedCommandsTable } from '../console/console.tables.ts';
import type { DesktopAccessTable } from '../desktop-access/desktop-access.tables.ts';
import type { EventLogsTable } from '../events/events.tables.ts';
import type { ClustersTable, GameServersTable } from '../game-servers/game-servers.tables.ts';
import type { MetricHistoryTable } from '../metric-history/metric-history.tables.ts';
import type { PlayerNamesTable, PlayerSessionsTable, PlayersTable } from '../players/players.tables.ts';
import type { QueueFailuresTable } from '../queues/queues.tables.ts';
import type { RolesTable } from '../roles/roles.tables.ts';
import type { SecretReencryptionsTable } from '../secrets/secrets.tables.ts';
import type { KnownDevicesTable, SessionsTable } from '../sessions/sessions.tables.ts';
import type { SettingsSecretsTable, SettingsTable } from '../settings/settings.tables.ts';

export interface Tables {
  admins: AdminsTable;
  api_keys: ApiKeysTable;
  desktop_access: DesktopAccessTable;
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
  console_commands: ConsoleCommandsTable;
  saved_commands: SavedCommandsTable;
  game_agents: GameAgentsTable;
  agent_commands: AgentCommandsTable;
  players: PlayersTable;
  player_names: PlayerNamesTable;
  player_sessions: PlayerSessionsTable;
  queue_failures: QueueFailuresTable;
  secret_reencryptions: SecretReencryptionsTable;
  settings: SettingsTable;
  settings_secrets: SettingsSecretsTable;
}
