import { builtInRoles, type Permission, permissionNames } from '#contracts/identity/permissions.ts';

/** The group of each permission; every permission has one. */
const groupOf = {
  'servers.read': 'games',
  'servers.write': 'games',
  'servers.power': 'games',
  'saves.read': 'games',
  'saves.write': 'games',
  'mods.read': 'games',
  'mods.write': 'games',
  'console.read': 'games',
  'console.write': 'games',
  'players.read': 'games',
  'players.write': 'games',
  'agents.write': 'games',
  'store.read': 'store',
  'store.write': 'store',
  'shops.read': 'store',
  'shops.write': 'store',
  'orders.read': 'store',
  'orders.write': 'store',
  'points.write': 'store',
  'seasons.read': 'store',
  'seasons.write': 'store',
  'rewards.read': 'store',
  'rewards.write': 'store',
  'members.read': 'store',
  'members.write': 'store',
  'events.read': 'records',
  'audit.read': 'records',
  'logs.read': 'records',
  'metrics.read': 'records',
  'stack.read': 'system',
  'stack.write': 'system',
  'queues.read': 'system',
  'queues.write': 'system',
  'backups.read': 'system',
  'backups.write': 'system',
  'settings.read': 'system',
  'settings.write': 'system',
  'admins.read': 'people',
  'admins.write': 'people',
  'api-keys.read': 'people',
  'api-keys.write': 'people',
  'secrets.read': 'people',
  'secrets.write': 'people',
  'bot.report': 'machine',
} as const satisfies Record<Permission, string>;
type PermissionGroup = (typeof groupOf)[Permission];

const held: readonly Permission[] = builtInRoles.owner;
const ofPeople = permissionNames.filter((name) => held.includes(name));

/** The permissions that people can hold, in groups, in display order. */
export const permissionGroups: readonly {
  readonly name: PermissionGroup;
  readonly permissions: readonly Permission[];
}[] = (['games', 'store', 'records', 'system', 'people', 'machine'] as const)
  .map((name) => ({ name, permissions: ofPeople.filter((each) => groupOf[each] === name) }))
  .filter(({ permissions }) => permissions.length > 0);
