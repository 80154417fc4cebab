import * as z from 'zod';
import { recordId } from './clusters.ts';
import { discordId, type discordPermissions } from './discord-application.ts';
import { type EventKindName, eventKindNames, severities } from './event-kinds.ts';
import { eventRow } from './events.ts';
import { endpoint } from './http.ts';
import { languages } from './language.ts';

/** What the bot needs in a channel that events go to. It reads the history so that it posts nothing twice. */
export const eventChannelPermissions = [
  'viewChannels',
  'sendMessages',
  'embedLinks',
  'readHistory',
] as const satisfies readonly (keyof typeof discordPermissions)[];
export type EventChannelPermission = (typeof eventChannelPermissions)[number];

const guildChannel = z.object({
  id: discordId,
  name: z.string().max(200),
  /** Null: in none. */
  category: z.string().max(200).nullable(),
  /** What the bot may not do there, and has to. */
  missing: z.array(z.enum(eventChannelPermissions)),
  /** Discord has refused a message there for another reason; the bot tries again by itself. */
  isRefused: z.boolean(),
});
export type GuildChannel = z.infer<typeof guildChannel>;

const guildRole = z.object({
  id: discordId,
  name: z.string().max(200),
  /** Whether a mention by the bot notifies its members. */
  isMentionable: z.boolean(),
});
export type GuildRole = z.infer<typeof guildRole>;

/** The Discord server as the bot sees it: text channels in Discord's order, roles from the highest down. */
export const botGuild = z.object({
  guildId: discordId,
  channels: z.array(guildChannel).max(1000),
  roles: z.array(guildRole).max(1000),
});
export type BotGuild = z.infer<typeof botGuild>;

/** Everyone on the Discord server sees them without us, and there may be hundreds a day: a rule has to name them. */
export const unnamedKinds: readonly EventKindName[] = ['discord.member-joined', 'discord.member-left'];

const ruleFields = {
  isEnabled: z.boolean(),
  channelId: discordId,
  /** Empty: all but `unnamedKinds`. */
  kinds: z.array(z.enum(eventKindNames)).max(eventKindNames.length),
  /** Empty: all. */
  severities: z.array(z.enum(severities)).max(severities.length),
  /** Empty: all, and what happens to none. */
  serverIds: z.array(recordId).max(200),
  /** Mentioned with each message that holds an event of this rule; null: none is. */
  roleId: discordId.nullable(),
};

/** Why events of a rule wait, or are posted without its role. */
export const eventRuleObstacles = [
  /** The bot is not signed in, or not on the Discord server. */
  'bot-away',
  'channel-unknown',
  'permissions-missing',
  'refused',
  'role-unknown',
  /** Discord shows its mention and notifies no one. */
  'role-not-mentionable',
] as const;
export type EventRuleObstacle = (typeof eventRuleObstacles)[number];

export const eventRule = z
  .object({
    id: z.string(),
    version: z.int(),
    ...ruleFields,
    obstacle: z.enum(eventRuleObstacles).nullable(),
    missing: z.array(z.enum(eventChannelPermissions)),
    /** Of the channel: events that were left out since too many had waited, or since Discord refused them. */
    leftOut: z.int().nonnegative(),
    /** The last message into the channel; null: none yet. */
    postedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'DiscordEventRule' });
export type EventRule = z.infer<typeof eventRule>;

const newRule = z.strictObject(ruleFields);
export type NewEventRule = z.infer<typeof newRule>;
const ruleChange = newRule.partial().extend({ version: z.int() });
export type EventRuleChange = z.infer<typeof ruleChange>;

/** What became of a test message. */
export const testPostOutcomes = [
  'posted',
  'bot-away',
  'channel-unknown',
  'permissions-missing',
  'refused',
] as const;
export type TestPostOutcome = (typeof testPostOutcomes)[number];

const testPost = z.object({ channelId: discordId, roleId: discordId.nullable() });
export type TestPost = z.infer<typeof testPost>;

const ofRule = z.object({ id: z.string().max(64) });
const reading = ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'] as const;

export const discordEventsHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/discord/event-rules',
    summary: 'Which events go to which channels of Discord, and the channels and roles there are',
    access: 'settings.read',
    response: z.object({
      rules: z.array(eventRule),
      /** Null while the bot is away. */
      guild: botGuild.nullable(),
    }),
    problems: reading,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/discord/event-rules',
    summary: 'Send events to a channel of Discord, from now on',
    access: 'settings.write',
    body: newRule,
    response: eventRule,
    problems: reading,
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/discord/event-rules/:id',
    summary: 'Change which events go to a channel of Discord',
    access: 'settings.write',
    params: ofRule,
    body: ruleChange,
    response: eventRule,
    problems: [...reading, 'NOT_FOUND', 'CONFLICT'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/discord/event-rules/:id',
    summary: 'Send no more events by a rule',
    access: 'settings.write',
    params: ofRule,
    response: z.object({}),
    problems: [...reading, 'NOT_FOUND'],
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/discord/event-rules/test',
    summary: 'Have the bot post a test message into a channel',
    access: 'settings.write',
    body: testPost,
    response: z.object({ outcome: z.enum(testPostOutcomes) }),
    problems: reading,
  }),
} as const;

/** Alerts wait for nothing else. Within a channel, each lane keeps the order of its events. */
export const eventLanes = ['alerts', 'rest'] as const;
export type EventLane = (typeof eventLanes)[number];

/** Events that a channel gets in one message. */
export const eventBatch = z.object({
  /** Unique; at most 25 characters, for Discord's nonce. The message shows it, so that it can be found again. */
  id: z.string().max(25),
  channelId: discordId,
  lane: z.enum(eventLanes),
  openedAt: z.iso.datetime(),
  /** It was handed out before, and may have been posted. */
  isRepeat: z.boolean(),
  /** To be mentioned. */
  roleIds: z.array(discordId),
  /** So many before these are not told: too many had waited. */
  leftOut: z.int().nonnegative(),
  events: z.array(eventRow.extend({ serverName: z.string().nullable() })),
});
export type EventBatch = z.infer<typeof eventBatch>;
export type BatchEvent = EventBatch['events'][number];

const givenTestPost = testPost.extend({ id: z.string() });
export type GivenTestPost = z.infer<typeof givenTestPost>;

/** Of one message, unless they are fewer. */
export const mostBatchEvents = 50;

export const discordEventsBotHttp = {
  reportGuild: endpoint({
    method: 'PUT',
    path: '/api/internal/bot/guild',
    summary: 'The bot tells which channels and roles there are',
    access: 'bot.report',
    body: botGuild,
    bodyBytes: 1_000_000,
    response: z.object({}),
    problems: ['UNAUTHENTICATED'],
  }),
  take: endpoint({
    method: 'POST',
    path: '/api/internal/bot/event-batches',
    summary: 'The bot takes the next events for each channel; the same ones again until they are settled',
    access: 'bot.report',
    body: z.strictObject({
      guildId: discordId,
      /** Batches that it is posting: of their lanes it wants nothing. */
      inProgress: z.array(z.string().max(25)).max(2000),
      /** Channels in which it keeps its distance: of these it wants alerts alone, so that a batch holds what comes until then. */
      resting: z.array(discordId).max(1000).default([]),
    }),
    response: z.object({
      /** False: tell the channels first. */
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
    summary: 'The bot has posted a batch, or can never post it; it is not given again',
    access: 'bot.report',
    params: z.object({ id: z.string().max(25) }),
    body: z.strictObject({ outcome: z.enum(['posted', 'unpostable']) }),
    response: z.object({}),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  settleTest: endpoint({
    method: 'POST',
    path: '/api/internal/bot/test-posts/:id',
    summary: 'What became of a test message',
    access: 'bot.report',
    params: z.object({ id: z.string().max(64) }),
    body: z.strictObject({ outcome: z.enum(testPostOutcomes) }),
    response: z.object({}),
    problems: ['UNAUTHENTICATED'],
  }),
} as const;
