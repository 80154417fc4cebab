import * as z from 'zod';
import { type EventKindName, eventKindNames } from '../kernel/event-kinds.ts';
import { endpoint, readProblems } from '../kernel/http.ts';
import { languages } from '../kernel/language.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { eventRow, severities } from '../operations/event-row.ts';
import { recordId } from '../servers/clusters.ts';
import { discordId, type discordPermissions } from './discord-application.ts';

/**
 * What the bot needs in a channel that receives events. It reads the history so that it posts nothing twice.
 * Without `connect` Discord denies it everything in a voice channel and on a stage.
 */
export const eventChannelPermissions = [
  'viewChannels',
  'sendMessages',
  'embedLinks',
  'readHistory',
  'connect',
] as const satisfies readonly (keyof typeof discordPermissions | 'connect')[];
export type EventChannelPermission = (typeof eventChannelPermissions)[number];

const guildChannel = z.object({
  id: discordId,
  name: z.string().max(200),
  /** Null: in no category. */
  category: z.string().max(200).nullable(),
  /** Permissions that the bot needs there and lacks. */
  missing: z.array(z.enum(eventChannelPermissions)),
  /** Discord refused a message there for another reason; the bot retries automatically. */
  isRefused: z.boolean(),
});
export type GuildChannel = z.infer<typeof guildChannel>;

const guildRole = z.object({
  id: discordId,
  name: z.string().max(200),
  /** Whether a mention by the bot notifies the role's members. */
  isMentionable: z.boolean(),
});
export type GuildRole = z.infer<typeof guildRole>;

/** The Discord server as the bot sees it: text channels in Discord's order, roles from the highest down. */
export const botGuild = z.object({
  guildId: discordId,
  channels: z.array(guildChannel).max(1000),
  roles: z.array(guildRole).max(1000),
  /** Discord has trouble with it: what is listed here is from before, and nothing can be done there. */
  isUnavailable: z.boolean().optional(),
});
export type BotGuild = z.infer<typeof botGuild>;

/** Why nothing can be done on the Discord server, whatever the channel; null: something can. @param guild null: the bot is away */
export const guildObstacle = (guild: BotGuild | null): 'bot-away' | 'guild-unavailable' | null => {
  if (guild === null) return 'bot-away';
  return guild.isUnavailable ? 'guild-unavailable' : null;
};

/** Everyone on the Discord server sees these anyway, and there may be hundreds a day: a rule must name them explicitly. */
export const unnamedKinds: readonly EventKindName[] = ['discord.member-joined', 'discord.member-left'];

const ruleFields = {
  isEnabled: z.boolean(),
  channelId: discordId,
  /** Empty: all except `unnamedKinds`. */
  kinds: z.array(z.enum(eventKindNames)).max(eventKindNames.length),
  /** Empty: all. */
  severities: z.array(z.enum(severities)).max(severities.length),
  /** Empty: all, including events without a server. */
  serverIds: z.array(recordId).max(200),
  /** Mentioned in each message with an event of this rule; null: none. */
  roleId: discordId.nullable(),
};

/** Why events of a rule wait, or are posted without its role. */
const eventRuleObstacles = [
  /** The bot is not signed in, or not on the Discord server. */
  'bot-away',
  /** Discord has trouble with the Discord server. */
  'guild-unavailable',
  'channel-unknown',
  'permissions-missing',
  'refused',
  'role-unknown',
  /** Discord shows the mention but notifies no one. */
  'role-not-mentionable',
] as const;
export type EventRuleObstacle = (typeof eventRuleObstacles)[number];

const eventRule = z
  .object({
    id: z.string(),
    version: z.int(),
    ...ruleFields,
    obstacle: z.enum(eventRuleObstacles).nullable(),
    missing: z.array(z.enum(eventChannelPermissions)),
    /** The channel's events that were left out because too many were waiting, or because Discord refused them. */
    leftOut: z.int().nonnegative(),
    /** The last message into the channel; null: none yet. */
    postedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'DiscordEventRule' });
export type EventRule = z.infer<typeof eventRule>;

const newRule = z.strictObject(ruleFields);
export type NewEventRule = z.infer<typeof newRule>;
const ruleChange = newRule.partial().extend({ version: rowVersion });
export type EventRuleChange = z.infer<typeof ruleChange>;

/** The result of a test message. */
const testPostOutcomes = [
  'posted',
  'bot-away',
  'guild-unavailable',
  'channel-unknown',
  'permissions-missing',
  'refused',
] as const;
export type TestPostOutcome = (typeof testPostOutcomes)[number];

const testPost = z.object({ channelId: discordId, roleId: discordId.nullable() });
export type TestPost = z.infer<typeof testPost>;

const ofRule = z.object({ id: z.string().max(64) });

export const discordEventsHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/discord/event-rules',
    summary: 'List the rules that send events to Discord channels, and the available channels and roles',
    access: 'settings.read',
    response: z.object({
      rules: z.array(eventRule),
      /** Null while the bot is not connected. */
      guild: botGuild.nullable(),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/discord/event-rules',
    summary: 'Create a rule that sends events to a Discord channel, effective from now on',
    access: 'settings.write',
    body: newRule,
    response: eventRule,
    problems: readProblems,
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/discord/event-rules/:id',
    summary: 'Change a rule that sends events to a Discord channel',
    access: 'settings.write',
    params: ofRule,
    body: ruleChange,
    response: eventRule,
    problems: [...readProblems, 'NOT_FOUND', 'CONFLICT'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/discord/event-rules/:id',
    summary: 'Delete a rule that sends events to a Discord channel',
    access: 'settings.write',
    params: ofRule,
    response: z.object({}),
    problems: [...readProblems, 'NOT_FOUND'],
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/discord/event-rules/test',
    summary: 'Have the bot post a test message to a channel',
    access: 'settings.write',
    body: testPost,
    response: z.object({ outcome: z.enum(testPostOutcomes) }),
    problems: readProblems,
  }),
} as const;

/** Alerts wait for nothing else. Within a channel, each lane keeps the order of its events. */
const eventLanes = ['alerts', 'rest'] as const;

/** Events that a channel gets in one message. */
const eventBatch = z.object({
  /** Unique, at most 25 characters, for Discord's nonce. The message shows it, so that it can be found again. */
  id: z.string().max(25),
  channelId: discordId,
  lane: z.enum(eventLanes),
  openedAt: z.iso.datetime(),
  /** It was handed out before, and may have been posted. */
  isRepeat: z.boolean(),
  /** Roles to mention. */
  roleIds: z.array(discordId),
  /** The number of earlier events that are not shown: too many were waiting. */
  leftOut: z.int().nonnegative(),
  events: z.array(eventRow.extend({ serverName: z.string().nullable() })),
  /** The community's name; absent if it has none. */
  community: z.string().optional(),
});
export type EventBatch = z.infer<typeof eventBatch>;
export type BatchEvent = EventBatch['events'][number];

const givenTestPost = testPost.extend({ id: z.string(), community: z.string().optional() });
export type GivenTestPost = z.infer<typeof givenTestPost>;

/** The most events per message. */
export const mostBatchEvents = 50;

export const discordEventsBotHttp = {
  reportGuild: endpoint({
    method: 'PUT',
    path: '/api/internal/bot/guild',
    summary: 'Report the channels and roles of the Discord server',
    access: 'bot.report',
    body: botGuild,
    bodyBytes: 1_000_000,
    response: z.object({}),
    problems: ['UNAUTHENTICATED'],
  }),
  take: endpoint({
    method: 'POST',
    path: '/api/internal/bot/event-batches',
    summary: 'Fetch the next events for each channel; returned again until settled',
    access: 'bot.report',
    body: z.strictObject({
      guildId: discordId,
      /** Batches that it is posting: it wants nothing from their lanes. */
      inProgress: z.array(z.string().max(25)).max(2000),
      /** Channels that are pausing between messages: it wants only alerts for these, so that a batch collects the events until then. */
      resting: z.array(discordId).max(1000).default([]),
    }),
    response: z.object({
      /** False: report the channels first. */
      isGuildKnown: z.boolean(),
      language: z.enum(languages),
      batches: z.array(eventBatch),
      tests: z.array(givenTestPost),
    }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  settle: endpoint({
    method: 'POST',
    path: '/api/internal/bot/event-batches/:id/settle',
    summary: 'Report that a batch was posted or can never be posted; it is not handed out again',
    access: 'bot.report',
    params: z.object({ id: z.string().max(25) }),
    body: z.strictObject({ outcome: z.enum(['posted', 'unpostable']) }),
    response: z.object({}),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  settleTest: endpoint({
    method: 'POST',
    path: '/api/internal/bot/test-posts/:id',
    summary: 'Report the result of a test message',
    access: 'bot.report',
    params: z.object({ id: z.string().max(64) }),
    body: z.strictObject({ outcome: z.enum(testPostOutcomes) }),
    response: z.object({}),
    problems: ['UNAUTHENTICATED'],
  }),
} as const;
