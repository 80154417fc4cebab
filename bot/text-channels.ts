import { ChannelType, type GuildBasedChannel } from 'discord.js';

/**
 * Channels in which anyone may write at any time, also as a webhook: voice channels and stages have a chat of their own
 * (DiscordSRV/DiscordSRV#1620). Threads end by themselves, and each message in a forum is a new post.
 */
const textTypes = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildVoice,
  ChannelType.GuildStageVoice,
] as const;
export type TextChannel = Extract<GuildBasedChannel, { type: (typeof textTypes)[number] }>;

export const isTextChannel = (channel: GuildBasedChannel): channel is TextChannel =>
  textTypes.some((type) => type === channel.type);
