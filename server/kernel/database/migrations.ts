import type { Migrations } from '#runtime/database/migrate.ts';
import { auditAndQueues } from './migrations/0001-audit-and-queues.ts';
import { identity } from './migrations/0002-identity.ts';
import { logs } from './migrations/0003-logs.ts';
import { settingsAndSecrets } from './migrations/0004-settings-and-secrets.ts';
import { gameServers } from './migrations/0005-game-servers.ts';
import { figures } from './migrations/0006-figures.ts';
import { versionsOfRights } from './migrations/0007-versions-of-rights.ts';
import { lateResults } from './migrations/0008-late-results.ts';
import { stepUp } from './migrations/0009-step-up.ts';
import { knownDevices } from './migrations/0010-known-devices.ts';
import { store } from './migrations/0011-store.ts';
import { discord } from './migrations/0012-discord.ts';
import { discordEvents } from './migrations/0013-discord-events.ts';
import { discordUsers } from './migrations/0014-discord-users.ts';
import { discordStatus } from './migrations/0015-discord-status.ts';
import { discordChat } from './migrations/0016-discord-chat.ts';
import { discordGuildMembers } from './migrations/0017-discord-guild-members.ts';
import { discordRoles } from './migrations/0018-discord-roles.ts';
import { agentEnrolment } from './migrations/0019-agent-enrolment.ts';
import { agentTasks } from './migrations/0020-agent-tasks.ts';
import { power } from './migrations/0021-power.ts';
import { survivorNumbers } from './migrations/0022-survivor-numbers.ts';
import { saves } from './migrations/0023-saves.ts';
import { mods } from './migrations/0024-mods.ts';
import { modSets } from './migrations/0025-mod-sets.ts';
import { provenMods } from './migrations/0026-proven-mods.ts';
import { ordersFromOutside } from './migrations/0027-orders-from-outside.ts';
import { chatShop } from './migrations/0028-chat-shop.ts';
import { shops } from './migrations/0029-shops.ts';
import { entitlements } from './migrations/0030-entitlements.ts';
import { rewards } from './migrations/0031-rewards.ts';
import { figuresAndOrder } from './migrations/0032-figures-and-order.ts';
import { seasons } from './migrations/0033-seasons.ts';
import { prices } from './migrations/0034-prices.ts';
import { seasonParts } from './migrations/0035-season-parts.ts';
import { shopEventsOfNoOrder } from './migrations/0036-shop-events-of-no-order.ts';
import { undoneShopDeliveries } from './migrations/0037-undone-shop-deliveries.ts';
import { counterCommands } from './migrations/0038-counter-commands.ts';
import { outsideShops } from './migrations/0039-outside-shops.ts';
import { bans } from './migrations/0040-bans.ts';
import { serverFigures } from './migrations/0041-server-figures.ts';
import { recordsBySubject } from './migrations/0042-records-by-subject.ts';
import { communityLogo } from './migrations/0043-community-logo.ts';
import { timelines } from './migrations/0044-timelines.ts';
import { programFaults } from './migrations/0045-program-faults.ts';
import { commandsInFlight } from './migrations/0046-commands-in-flight.ts';
import { askingPlayers } from './migrations/0047-asking-players.ts';
import { chatTrust } from './migrations/0048-chat-trust.ts';
import { encryptionKeys } from './migrations/0049-encryption-keys.ts';
import { commandApprovals } from './migrations/0050-command-approvals.ts';
import { enrolmentsOfMakers } from './migrations/0051-enrolments-of-makers.ts';
import { uploadRoom } from './migrations/0052-upload-room.ts';
import { sealedCommands } from './migrations/0053-sealed-commands.ts';
import { waiting } from './migrations/0054-waiting.ts';
import { restoreRuns } from './migrations/0055-restore-runs.ts';
import { savesSchedules } from './migrations/0056-saves-schedules.ts';
import { restoreRunMakers } from './migrations/0057-restore-run-makers.ts';
import { chatForms } from './migrations/0058-chat-forms.ts';
import { pendingMembers } from './migrations/0059-pending-members.ts';
import { provenTime } from './migrations/0060-proven-time.ts';

/**
 * Frozen once released. A new version of pg-boss that changes its tables gets a migration here too, even if only an
 * empty one: this makes the backup run before pg-boss changes them. If pg-boss changes a column that the view
 * pgboss.job shows, that migration drops the view; the start creates it again.
 */
export const migrations: Migrations = {
  '0001-audit-and-queues': auditAndQueues,
  '0002-identity': identity,
  '0003-logs': logs,
  '0004-settings-and-secrets': settingsAndSecrets,
  '0005-game-servers': gameServers,
  '0006-figures': figures,
  '0007-versions-of-rights': versionsOfRights,
  '0008-late-results': lateResults,
  '0009-step-up': stepUp,
  '0010-known-devices': knownDevices,
  '0011-store': store,
  '0012-discord': discord,
  '0013-discord-events': discordEvents,
  '0014-discord-users': discordUsers,
  '0015-discord-status': discordStatus,
  '0016-discord-chat': discordChat,
  '0017-discord-guild-members': discordGuildMembers,
  '0018-discord-roles': discordRoles,
  '0019-agent-enrolment': agentEnrolment,
  '0020-agent-tasks': agentTasks,
  '0021-power': power,
  '0022-survivor-numbers': survivorNumbers,
  '0023-saves': saves,
  '0024-mods': mods,
  '0025-mod-sets': modSets,
  '0026-proven-mods': provenMods,
  '0027-orders-from-outside': ordersFromOutside,
  '0028-chat-shop': chatShop,
  '0029-shops': shops,
  '0030-entitlements': entitlements,
  '0031-rewards': rewards,
  '0032-figures-and-order': figuresAndOrder,
  '0033-seasons': seasons,
  '0034-prices': prices,
  '0035-season-parts': seasonParts,
  '0036-shop-events-of-no-order': shopEventsOfNoOrder,
  '0037-undone-shop-deliveries': undoneShopDeliveries,
  '0038-counter-commands': counterCommands,
  '0039-outside-shops': outsideShops,
  '0040-bans': bans,
  '0041-server-figures': serverFigures,
  '0042-records-by-subject': recordsBySubject,
  '0043-community-logo': communityLogo,
  '0044-timelines': timelines,
  '0045-program-faults': programFaults,
  '0046-commands-in-flight': commandsInFlight,
  '0047-asking-players': askingPlayers,
  '0048-chat-trust': chatTrust,
  '0049-encryption-keys': encryptionKeys,
  '0050-command-approvals': commandApprovals,
  '0051-enrolments-of-makers': enrolmentsOfMakers,
  '0052-upload-room': uploadRoom,
  '0053-sealed-commands': sealedCommands,
  '0054-waiting': waiting,
  '0055-restore-runs': restoreRuns,
  '0056-saves-schedules': savesSchedules,
  '0057-restore-run-makers': restoreRunMakers,
  '0058-chat-forms': chatForms,
  '0059-pending-members': pendingMembers,
  '0060-proven-time': provenTime,
};
