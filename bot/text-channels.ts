import { ChannelType, type GuildBasedChannel, type GuildMember, PermissionFlagsBits } from 'discord.js';

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

const permissionBits = {
  viewChannels: PermissionFlagsBits.ViewChannel,
  sendMessages: PermissionFlagsBits.SendMessages,
  embedLinks: PermissionFlagsBits.EmbedLinks,
  manageWebhooks: PermissionFlagsBits.ManageWebhooks,
  readHistory: PermissionFlagsBits.ReadMessageHistory,
  connect: PermissionFlagsBits.Connect,
} as const;

/**
 * What a member lacks in a channel. Where one may not connect to a voice channel, nothing else counts there, whatever the
 * permissions say: https://docs.discord.com/developers/topics/permissions#implicit-permissions
 */
export const missingIn = <Name extends keyof typeof permissionBits>(
  channel: TextChannel,
  member: GuildMember,
  wanted: readonly Name[],
): Name[] => {
  const held = channel.permissionsFor(member);
  return wanted.filter(
    (name) => !held.has(permissionBits[name]) && (name !== 'connect' || channel.isVoiceBased()),
  );
};
