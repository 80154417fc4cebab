import {
  type Client,
  Events,
  type Guild,
  type GuildMember,
  PermissionFlagsBits,
  type Role,
} from 'discord.js';
import type { BotRoles, RoleObstacle } from '#contracts/discord/discord-roles.ts';

/**
 * Anyone with one of these can change the Discord server or its members: Discord requires a second factor for most of
 * them. https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags
 */
const dangerous = [
  PermissionFlagsBits.Administrator,
  PermissionFlagsBits.ManageGuild,
  PermissionFlagsBits.ManageRoles,
  PermissionFlagsBits.ManageChannels,
  PermissionFlagsBits.ManageWebhooks,
  PermissionFlagsBits.ManageMessages,
  PermissionFlagsBits.ManageThreads,
  PermissionFlagsBits.ManageNicknames,
  PermissionFlagsBits.ManageEvents,
  PermissionFlagsBits.ManageGuildExpressions,
  PermissionFlagsBits.KickMembers,
  PermissionFlagsBits.BanMembers,
  PermissionFlagsBits.ModerateMembers,
  PermissionFlagsBits.MuteMembers,
  PermissionFlagsBits.DeafenMembers,
  PermissionFlagsBits.MoveMembers,
  PermissionFlagsBits.MentionEveryone,
  PermissionFlagsBits.ViewAuditLog,
];

/** Events that may change which roles exist, and which of them the bot can give. */
const changes = [
  Events.GuildRoleCreate,
  Events.GuildRoleDelete,
  Events.GuildRoleUpdate,
  Events.GuildUpdate,
  Events.GuildAvailable,
  Events.ShardReady,
] as const;

interface RoleWatch extends Disposable {
  /** The current roles; the same object until something changes. Null: the bot does not see them at the moment. */
  current(): BotRoles | null;
}

/** @param onChange something may have changed */
export const watchRoles = (client: Client<true>, guildId: string, onChange: () => void): RoleWatch => {
  let known: BotRoles | null = null;
  const changed = () => {
    known = null;
    onChange();
  };
  // Of all members, only the bot's own roles matter.
  const memberChanged = (_before: unknown, { id, guild }: GuildMember) => {
    if (id === client.user.id && guild.id === guildId) changed();
  };
  for (const event of changes) client.on(event, changed);
  client.on(Events.GuildMemberUpdate, memberChanged);
  return {
    current() {
      const guild = client.guilds.cache.get(guildId);
      const { me } = guild?.members ?? {};
      if (!guild?.available || !me) return null;
      known ??= { guildId, roles: rolesOf(guild, me) };
      return known;
    },
    [Symbol.dispose]() {
      for (const event of changes) client.off(event, changed);
      client.off(Events.GuildMemberUpdate, memberChanged);
    },
  };
};

const rolesOf = (guild: Guild, me: GuildMember): BotRoles['roles'] =>
  [...guild.roles.cache.values()]
    .sort((one, other) => other.comparePositionTo(one))
    .map((role) => ({ id: role.id, name: role.name, obstacle: obstacleOf(role, me) }));

const obstacleOf = (role: Role, me: GuildMember): RoleObstacle | null => {
  if (role.id === role.guild.id) return 'role-everyone';
  if (role.managed) return 'role-managed';
  if (dangerous.some((bit) => (role.permissions.bitfield & bit) !== 0n)) return 'role-dangerous';
  if (!me.permissions.has(PermissionFlagsBits.ManageRoles)) return 'role-permission-missing';
  return role.comparePositionTo(me.roles.highest) < 0 ? null : 'role-above-bot';
};
