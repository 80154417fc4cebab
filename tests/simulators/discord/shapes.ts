import type { APIRole, APIUser, RoleFlags, UserFlags } from 'discord.js';
import type { Channel, Guild, Member, State } from './state.ts';

/** https://docs.discord.com/developers/resources/user#user-object */
export const makeUser = (id: string, name: string, isBot = false): APIUser => ({
  id,
  username: name.toLowerCase().replaceAll(/[^a-z0-9_.]/g, '') || 'user',
  discriminator: isBot ? '0000' : '0',
  global_name: isBot ? null : name,
  avatar: null,
  banner: null,
  accent_color: null,
  avatar_decoration_data: null,
  public_flags: 0 as UserFlags,
  ...(isBot && { username: name, bot: true }),
});

/** https://docs.discord.com/developers/topics/permissions#role-object */
export const makeRole = (role: Partial<APIRole> & Pick<APIRole, 'id' | 'name'>): APIRole => ({
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  icon: null,
  unicode_emoji: null,
  position: 1,
  permissions: '0',
  managed: false,
  mentionable: false,
  flags: 0 as RoleFlags,
  ...role,
});

/** https://docs.discord.com/developers/resources/guild#guild-member-object */
export const memberShape = ({ user, nick, roles, joinedAt, pending = false }: Member) => ({
  user,
  nick,
  avatar: null,
  banner: null,
  roles,
  joined_at: joinedAt,
  premium_since: null,
  deaf: false,
  mute: false,
  flags: 0,
  pending,
  communication_disabled_until: null,
});

/** https://docs.discord.com/developers/resources/channel#channel-object */
export const channelShape = (channel: Channel) => ({
  id: channel.id,
  type: channel.type,
  guild_id: channel.guildId,
  name: channel.name,
  position: channel.position,
  parent_id: channel.parentId,
  permission_overwrites: channel.overwrites,
  flags: 0,
  ...((channel.type === 2 || channel.type === 13) && { bitrate: 64_000, user_limit: 0, rtc_region: null }),
  ...(channel.type !== 4 && {
    topic: channel.topic,
    nsfw: false,
    rate_limit_per_user: 0,
    last_message_id: [...channel.messages.keys()].at(-1) ?? null,
  }),
});

/** https://docs.discord.com/developers/resources/guild#guild-object */
export const guildShape = (guild: Guild) => ({
  id: guild.id,
  name: guild.name,
  icon: null,
  splash: null,
  discovery_splash: null,
  owner_id: guild.ownerId,
  region: null,
  afk_channel_id: null,
  afk_timeout: 300,
  widget_enabled: false,
  widget_channel_id: null,
  verification_level: 0,
  default_message_notifications: 0,
  explicit_content_filter: 0,
  roles: [...guild.roles.values()],
  emojis: [],
  stickers: [],
  features: [],
  mfa_level: 0,
  application_id: null,
  system_channel_id: null,
  system_channel_flags: 0,
  rules_channel_id: null,
  max_presences: null,
  max_members: 500_000,
  vanity_url_code: null,
  description: null,
  banner: null,
  premium_tier: 0,
  premium_subscription_count: 0,
  preferred_locale: guild.locale,
  public_updates_channel_id: null,
  nsfw_level: 0,
  premium_progress_bar_enabled: false,
  safety_alerts_channel_id: null,
  incidents_data: null,
});

/** https://docs.discord.com/developers/resources/application#application-object */
export const applicationShape = ({ application: { id, name, flags, user } }: State) => ({
  id,
  name,
  icon: null,
  description: '',
  rpc_origins: [],
  bot_public: true,
  bot_require_code_grant: false,
  bot: user,
  verify_key: '0'.repeat(64),
  team: null,
  owner: null,
  flags,
  tags: [],
  integration_types_config: { 0: {} },
});
