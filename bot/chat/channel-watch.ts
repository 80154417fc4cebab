import { ChannelType, type Client, PermissionFlagsBits } from 'discord.js';
import {
  type ChatChannel,
  type ChatChannelPermission,
  type ChatChannelState,
  chatChannelPermissions,
} from '#contracts/discord-chat.ts';

const permissionBits: Readonly<Record<ChatChannelPermission, bigint>> = {
  viewChannels: PermissionFlagsBits.ViewChannel,
  manageWebhooks: PermissionFlagsBits.ManageWebhooks,
  readHistory: PermissionFlagsBits.ReadMessageHistory,
};

/** How long to leave a channel alone after Discord refused what its permissions allow. */
const refusedMs = 60_000;

export interface ChannelWatch {
  describe(channelId: string): ChatChannel;
  refuse(channelId: string, as: Extract<ChatChannelState, 'refused' | 'too-many-webhooks'>): void;
}

/** What the bot may do in the channels of relays, as discord.js has them now. */
export const watchChannels = (client: Client<true>, guildId: string): ChannelWatch => {
  const refused = new Map<string, { readonly as: ChatChannelState; readonly untilMs: number }>();
  return {
    describe(id) {
      const guild = client.guilds.cache.get(guildId);
      const channel = guild?.channels.cache.get(id);
      const isText =
        channel?.type === ChannelType.GuildText || channel?.type === ChannelType.GuildAnnouncement;
      const held = guild?.members.me && isText ? channel.permissionsFor(guild.members.me) : null;
      if (!held) return { id, state: 'unknown', missing: [] };
      const refusal = refused.get(id);
      const isRefused = refusal && refusal.untilMs > performance.now();
      if (!isRefused) refused.delete(id);
      const missing = chatChannelPermissions.filter((name) => !held.has(permissionBits[name]));
      return { id, state: isRefused ? refusal.as : 'open', missing };
    },
    refuse: (channelId, as) => void refused.set(channelId, { as, untilMs: performance.now() + refusedMs }),
  };
};
