import { type Client, Events, type Guild, type GuildMember, PermissionFlagsBits } from 'discord.js';
import { type BotGuild, eventChannelPermissions } from '#contracts/discord/discord-events.ts';
import { isTextChannel, missingIn, type TextChannel } from '../text-channels.ts';

/** How long to leave a channel alone after Discord refused a message that its permissions allow. */
const refusedMs = 60_000;

interface GuildWatch extends Disposable {
  /** Discord's current state; the same object until something changes. */
  current(): BotGuild;
  /** Discord refused a message in this channel. */
  refuse(channelId: string): void;
}

/** Events that may change which channels and roles exist, and what the bot may do. */
const changes = [
  Events.ChannelCreate,
  Events.ChannelDelete,
  Events.ChannelUpdate,
  Events.GuildRoleCreate,
  Events.GuildRoleDelete,
  Events.GuildRoleUpdate,
  Events.GuildUpdate,
  Events.GuildAvailable,
  Events.GuildUnavailable,
  Events.ShardReady,
] as const;

/** @param onChange something may have changed */
export const watchGuild = (client: Client<true>, guildId: string, onChange: () => void): GuildWatch => {
  let known: BotGuild | null = null;
  const refused = new Map<string, NodeJS.Timeout>();
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

  const release = (channelId: string) => {
    refused.delete(channelId);
    changed();
  };
  const describe = (): BotGuild => {
    const guild = client.guilds.cache.get(guildId);
    const { me } = guild?.members ?? {};
    const outage = guild?.available === false && { isUnavailable: true };
    if (!guild || !me) return { guildId, channels: [], roles: [], ...outage };
    const channels = [...guild.channels.cache.values()]
      .filter(isTextChannel)
      .sort((a, b) => placeOf(a) - placeOf(b) || a.rawPosition - b.rawPosition)
      .map((channel) => ({
        id: channel.id,
        name: channel.name,
        category: channel.parent?.name ?? null,
        missing: missingIn(channel, me, eventChannelPermissions),
        isRefused: refused.has(channel.id),
      }));
    return { guildId, channels, roles: rolesOf(guild, me), ...outage };
  };

  return {
    current() {
      known ??= describe();
      return known;
    },
    refuse(channelId) {
      clearTimeout(refused.get(channelId));
      refused.set(
        channelId,
        setTimeout(() => release(channelId), refusedMs),
      );
      changed();
    },
    [Symbol.dispose]() {
      for (const event of changes) client.off(event, changed);
      client.off(Events.GuildMemberUpdate, memberChanged);
      for (const timer of refused.values()) clearTimeout(timer);
    },
  };
};

/** Discord lists channels without a category above all categories. */
const placeOf = ({ parent }: TextChannel): number => parent?.rawPosition ?? -1;

const rolesOf = (guild: Guild, me: GuildMember): BotGuild['roles'] => {
  const mayMentionAll = me.permissions.has(PermissionFlagsBits.MentionEveryone);
  return [...guild.roles.cache.values()]
    .filter(({ id, managed }) => id !== guild.id && !managed)
    .sort((a, b) => b.position - a.position)
    .map(({ id, name, mentionable }) => ({ id, name, isMentionable: mentionable || mayMentionAll }));
};
