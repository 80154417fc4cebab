import * as z from 'zod';

interface PermissionEntry {
  readonly summary: string;
  /** Can be granted for single game servers, too. */
  readonly perServer: boolean;
}

const everywhere = (summary: string) => ({ summary, perServer: false }) as const;
const perServer = (summary: string) => ({ summary, perServer: true }) as const;

/** Everything that somebody may or may not do. An endpoint names the one that it needs. */
export const permissions = {
  'stack.read': everywhere('See the health of the stack and its license'),
  'stack.write': everywhere('Restart components and change the license'),
  'metrics.read': everywhere('Read the Prometheus metrics'),
  'logs.read': everywhere('Read the log files and diagnostics'),
  'queues.read': everywhere('See the job queues'),
  'queues.write': everywhere('Cancel and retry jobs'),
  'backups.read': everywhere('See the backups'),
  'backups.write': everywhere('Take a backup'),
  'admins.read': everywhere('See admins, roles and their sessions'),
  'admins.write': everywhere('Create, change and remove admins and roles'),
  'api-keys.read': everywhere('See all API keys'),
  'api-keys.write': everywhere('Create and revoke API keys'),
  'audit.read': everywhere('Read and export the audit log'),
  'events.read': everywhere('Read and export the event log'),
  'settings.read': everywhere('See the settings'),
  'settings.write': everywhere('Change the settings'),
  'secrets.read': everywhere('See how many secrets are on which key'),
  'secrets.write': everywhere('Encrypt all secrets anew'),
  'servers.read': perServer('See game servers'),
  'servers.write': perServer('Create, change and archive game servers'),
  'servers.power': perServer('Start, stop and restart game servers'),
  'saves.read': perServer('See the backups of game servers’ saves'),
  'saves.write': perServer('Back up and restore the saves of game servers'),
  'mods.read': perServer('See the mods of game servers'),
  'mods.write': perServer('Install, update and remove mods of game servers'),
  'console.read': perServer('See the console and its history'),
  'console.write': perServer('Send console commands'),
  'players.read': perServer('See players'),
  'players.write': perServer('Kick, ban and message players'),
  'store.read': everywhere('See the store and its products'),
  'store.write': everywhere('Create and change products'),
  'shops.read': everywhere('See outside shops and their orders'),
  'shops.write': everywhere('Connect outside shops and decide their orders'),
  'orders.read': everywhere('See orders and deliveries'),
  'orders.write': everywhere('Order for members, refund, and decide deliveries'),
  'points.write': everywhere('Give points and take them back'),
  'seasons.read': everywhere('See the seasons and what they did'),
  'seasons.write': everywhere('Begin and undo seasons'),
  'rewards.read': everywhere('See rules, codes and other rewards'),
  'rewards.write': everywhere('Change rewards, and make and redeem codes'),
  'members.read': everywhere('See members, their wallets and their accounts'),
  'members.write': everywhere('Link, merge and erase members'),
  'agents.write': perServer('Replace and set up Game Agents'),
  'bot.report': everywhere('Report the state of the Discord bot and fetch its settings'),
} as const satisfies Record<string, PermissionEntry>;

export type Permission = keyof typeof permissions;
export const permissionNames = Object.keys(permissions) as [Permission, ...Permission[]];
export const permissionSchema = z.enum(permissionNames);

const reading = permissionNames.filter((name) => name.endsWith('.read'));
const ofServers = permissionNames.filter((name) => permissions[name].perServer);
/** What reaches so far that the giver shows the own password or second factor again. */
export const stepUpPermissions: readonly Permission[] = ['servers.power', 'saves.write', 'mods.write'];
/** For the parts of the stack themselves; no person holds these. */
const machineOnly: readonly Permission[] = ['bot.report'];
const ofPeople = permissionNames.filter((name) => !machineOnly.includes(name));

/** The built-in roles; more can be made. An owner also passes every check that names no permission. */
export const builtInRoles = {
  owner: ofPeople,
  admin: ofPeople.filter((name) => name !== 'admins.write' && name !== 'secrets.write'),
  moderator: [
    'stack.read',
    'events.read',
    'store.read',
    'orders.read',
    'members.read',
    ...ofServers.filter(
      (name) => !/^(?:(?:servers|agents)\.write|servers\.power|saves\..*|mods\..*)$/.test(name),
    ),
  ],
  viewer: reading.filter(
    (name) =>
      !/^(admins|api-keys|audit|backups|saves|mods|settings|secrets|logs|store|shops|orders|rewards|members|seasons)\./.test(
        name,
      ),
  ),
} as const satisfies Record<string, readonly Permission[]>;
export type BuiltInRole = keyof typeof builtInRoles;

/**
 * All that anyone in Discord may be allowed to do by the bot, however much the linked admin may do elsewhere: never admins,
 * keys, settings or secrets.
 */
export const discordUserPermissions = [
  'players.read',
  'players.write',
  'console.write',
  'servers.power',
] as const satisfies readonly Permission[];
export type DiscordUserPermission = (typeof discordUserPermissions)[number];

/** All that the holder of INTERNAL_API_SECRET may do, whatever else comes. */
export const botPermissions: readonly Permission[] = [
  'bot.report',
  'stack.read',
  'servers.read',
  'players.read',
];
