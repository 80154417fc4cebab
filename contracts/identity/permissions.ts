import * as z from 'zod';

interface PermissionEntry {
  readonly summary: string;
  /** Can also be granted for single game servers. */
  readonly perServer: boolean;
}

const everywhere = (summary: string) => ({ summary, perServer: false }) as const;
const perServer = (summary: string) => ({ summary, perServer: true }) as const;

/** All permissions. An endpoint names the one that it needs. */
export const permissions = {
  'stack.read': everywhere('View system health and the license'),
  'stack.write': everywhere('Restart parts of the system and change the license'),
  'metrics.read': everywhere('Read metrics for monitoring (Prometheus)'),
  'logs.read': everywhere('View logs and diagnostics'),
  'queues.read': everywhere('View job queues'),
  'queues.write': everywhere('Cancel and retry jobs'),
  'backups.read': everywhere('View backups'),
  'backups.write': everywhere('Create backups'),
  'admins.read': everywhere('View admins, roles and sessions'),
  'admins.write': everywhere('Create, edit and remove admins and roles'),
  'api-keys.read': everywhere('View all API keys'),
  'api-keys.write': everywhere('Create and revoke API keys'),
  'audit.read': everywhere('View and export the audit log'),
  'events.read': everywhere('View and export events'),
  'settings.read': everywhere('View settings'),
  'settings.write': everywhere('Change settings'),
  'secrets.read': everywhere('View which keys encrypt the secrets'),
  'secrets.write': everywhere('Re-encrypt all secrets'),
  'servers.read': perServer('View game servers'),
  'servers.write': perServer(
    'Add, edit and archive game servers; another address decides who speaks for the players of the server',
  ),
  'servers.power': perServer('Start, stop and restart game servers'),
  'saves.read': perServer('View world backups of game servers'),
  'saves.write': perServer('Back up and restore the worlds of game servers'),
  'mods.read': perServer('View the mods of game servers'),
  'mods.write': perServer('Install, update and remove mods of game servers'),
  'console.read': perServer('View the console and its history'),
  'console.write': perServer('Send console commands'),
  'players.read': perServer('View players'),
  'players.write': perServer('Kick, ban and message players'),
  'store.read': everywhere('View the store and its products'),
  'store.write': everywhere('Create and edit products'),
  'shops.read': everywhere('View external shops and their orders'),
  'shops.write': everywhere('Connect external shops and handle their orders'),
  'orders.read': everywhere('View orders and deliveries'),
  'orders.write': everywhere('Place orders for members, refund, and resolve deliveries'),
  'points.write': everywhere('Give and remove points'),
  'seasons.read': everywhere('View seasons and their results'),
  'seasons.write': everywhere('Start and undo seasons'),
  'rewards.read': everywhere('View rewards and reward codes'),
  'rewards.write': everywhere('Edit rewards, and create and redeem codes'),
  'members.read': everywhere('View members, wallets and linked accounts'),
  'members.write': everywhere('Link, merge and erase members'),
  'agents.write': perServer('Set up and replace Game Agents; an agent speaks for the players of its server'),
  'bot.report': everywhere('Report the state of the Discord bot and read its settings'),
} as const satisfies Record<string, PermissionEntry>;

export type Permission = keyof typeof permissions;
export const permissionNames = Object.keys(permissions) as [Permission, ...Permission[]];
export const permissionSchema = z.enum(permissionNames);

/** Permissions that reach so far that granting them needs the password or second factor again. */
export const stepUpPermissions: readonly Permission[] = ['servers.power', 'saves.write', 'mods.write'];
/** For components of the stack only; no person holds these. */
const machineOnly: readonly Permission[] = ['bot.report'];
const ofPeople = permissionNames.filter((name) => !machineOnly.includes(name));

/** The built-in roles; more can be created. An owner also passes every check that names no permission. */
export const builtInRoles = {
  owner: ofPeople,
  admin: ofPeople.filter((name) => name !== 'admins.write' && name !== 'secrets.write'),
  // Named one by one: a new permission is for admins until it stands here.
  moderator: [
    'stack.read',
    'events.read',
    'store.read',
    'orders.read',
    'members.read',
    'servers.read',
    'console.read',
    'console.write',
    'players.read',
    'players.write',
  ],
  viewer: [
    'stack.read',
    'metrics.read',
    'queues.read',
    'events.read',
    'servers.read',
    'console.read',
    'players.read',
  ],
} as const satisfies Record<string, readonly Permission[]>;
export type BuiltInRole = keyof typeof builtInRoles;

/**
 * The most that anyone in Discord may be allowed to do through the bot, whatever else the linked admin may do: never
 * admins, keys, settings or secrets.
 */
export const discordUserPermissions = [
  'players.read',
  'players.write',
  'console.write',
  'servers.power',
] as const satisfies readonly Permission[];
export type DiscordUserPermission = (typeof discordUserPermissions)[number];

/** The most that the holder of INTERNAL_API_SECRET may do, whatever is added later. */
export const botPermissions: readonly Permission[] = [
  'bot.report',
  'stack.read',
  'servers.read',
  'players.read',
];
