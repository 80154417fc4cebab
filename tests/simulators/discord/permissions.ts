import type { Channel, Guild } from './state.ts';

/** https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags */
export const permission = {
  administrator: 1n << 3n,
  manageGuild: 1n << 5n,
  addReactions: 1n << 6n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  manageMessages: 1n << 13n,
  embedLinks: 1n << 14n,
  attachFiles: 1n << 15n,
  readMessageHistory: 1n << 16n,
  mentionEveryone: 1n << 17n,
  connect: 1n << 20n,
  manageRoles: 1n << 28n,
  manageWebhooks: 1n << 29n,
  useApplicationCommands: 1n << 31n,
} as const;
export type Permission = keyof typeof permission;

export const allPermissions = (1n << 53n) - 1n;

export const bitsOf = (...names: readonly Permission[]): bigint =>
  names.reduce((bits, name) => bits | permission[name], 0n);

export const has = (bits: bigint, name: Permission): boolean => (bits & permission[name]) !== 0n;

export const permissionsOf = (guild: Guild, userId: string, channel?: Channel): bigint => {
  const member = guild.members.get(userId);
  if (!member) return 0n;
  return guild.ownerId === userId ? allPermissions : permissionsBy(guild, member.roles, userId, channel);
};

/** The permissions of a webhook. */
export const everyonesPermissions = (guild: Guild, channel: Channel): bigint =>
  permissionsBy(guild, [], null, channel);

/** https://docs.discord.com/developers/topics/permissions#permission-overwrites */
const permissionsBy = (
  guild: Guild,
  roleIds: readonly string[],
  userId: string | null,
  channel: Channel | undefined,
): bigint => {
  const base = [guild.id, ...roleIds].reduce(
    (bits, id) => bits | BigInt(guild.roles.get(id)?.permissions ?? 0),
    0n,
  );
  if (base & permission.administrator) return allPermissions;
  if (!channel) return base;
  const apply = (bits: bigint, ids: readonly (string | null)[]) => {
    const those = channel.overwrites.filter(({ id }) => ids.includes(id));
    const deny = those.reduce((sum, overwrite) => sum | BigInt(overwrite.deny), 0n);
    const allow = those.reduce((sum, overwrite) => sum | BigInt(overwrite.allow), 0n);
    return (bits & ~deny) | allow;
  };
  const bits = apply(apply(apply(base, [guild.id]), roleIds), [userId]);
  // Without the right to see a channel, nothing is allowed in it; without the right to write, no embeds, files or pings.
  if (!(bits & permission.viewChannel)) return 0n;
  // In voice channels and on stages, who may not connect may nothing else.
  if ((channel.type === 2 || channel.type === 13) && !(bits & permission.connect))
    return permission.viewChannel;
  if (bits & permission.sendMessages) return bits;
  return bits & ~bitsOf('mentionEveryone', 'attachFiles', 'embedLinks');
};

/** The position of a member's highest role. The owner is above all. */
export const rankOf = (guild: Guild, userId: string): number => {
  if (guild.ownerId === userId) return Number.POSITIVE_INFINITY;
  const positions = guild.members.get(userId)?.roles.map((id) => guild.roles.get(id)?.position ?? 0) ?? [];
  return Math.max(0, ...positions);
};
