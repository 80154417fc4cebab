import * as z from 'zod';
import { recordId } from './clusters.ts';
import { discordId, type discordPermissions } from './discord-application.ts';
import { botGuild } from './discord-events.ts';
import { endpoint } from './http.ts';

/** What the bot needs in a channel that chat goes to; to hear people there it needs the first alone. */
export const chatChannelPermissions = [
  'viewChannels',
  'manageWebhooks',
  'readHistory',
] as const satisfies readonly (keyof typeof discordPermissions)[];
export type ChatChannelPermission = (typeof chatChannelPermissions)[number];

const relayFields = {
  isEnabled: z.boolean(),
  serverId: recordId,
  channelId: discordId,
  toDiscord: z.boolean(),
  toGame: z.boolean(),
  /** What is said on other servers of the channel is said on this one, too. Only with `toGame`. */
  fromServers: z.boolean(),
};
const relayDraft = z.strictObject(relayFields).refine(({ toDiscord, toGame }) => toDiscord || toGame, {
  error: 'must go one way at least',
  path: ['toDiscord'],
});
export type ChatRelayDraft = z.infer<typeof relayDraft>;

/** Why chat is not relayed, or only one way. */
export const chatRelayObstacles = [
  /** The bot is not signed in, or not on the Discord server. */
  'bot-away',
  'server-archived',
  'channel-unknown',
  'permissions-missing',
  /** Discord refuses what the permissions allow. */
  'refused',
  /** The channel has as many webhooks as Discord lets it have, and none is the bot's. */
  'too-many-webhooks',
  /** Neither a Game Agent nor the console tells what is said in the game. */
  'chat-not-heard',
  'game-not-online',
] as const;
export type ChatRelayObstacle = (typeof chatRelayObstacles)[number];

export const chatRelay = z
  .object({
    id: z.string(),
    version: z.int(),
    ...relayFields,
    obstacles: z.array(z.enum(chatRelayObstacles)),
    missing: z.array(z.enum(chatChannelPermissions)),
    /** Lines and when the last one went; left out by the flood limit or the word filter, or since they had waited too long. */
    toDiscordAt: z.iso.datetime().nullable(),
    toGameAt: z.iso.datetime().nullable(),
    toDiscordLeftOut: z.int().nonnegative(),
    toGameLeftOut: z.int().nonnegative(),
  })
  .meta({ id: 'DiscordChatRelay' });
export type ChatRelay = z.infer<typeof chatRelay>;

export const mostFilterWords = 200;
export const longestFilterWord = 60;
/** What is done with a line in which one of the words stands. */
export const filterTreatments = ['mask', 'hold'] as const;
export type FilterTreatment = (typeof filterTreatments)[number];

/** A star stands for any letters, and alone, or beside a single letter, it would stand for nearly every word. */
export const isFilterWord = (text: string): boolean =>
  text.length <= longestFilterWord &&
  !/\p{Cc}/u.test(text) &&
  text
    .trim()
    .split(/\s+/u)
    .every((word) => (word.match(/[\p{L}\p{N}]/gu) ?? []).length >= (word.includes('*') ? 2 : 1));

const filterFields = {
  /** Words or phrases; `*` in a word stands for any letters. */
  words: z
    .array(
      z
        .string()
        .trim()
        .refine(isFilterWord, { error: 'must be a word, with two letters or more where it has a *' }),
    )
    .max(mostFilterWords),
  treatment: z.enum(filterTreatments),
};
export const chatFilter = z
  .object({
    /** 0 while nothing was ever saved. */
    version: z.int().nonnegative(),
    words: z.array(z.string()),
    treatment: z.enum(filterTreatments),
  })
  .meta({ id: 'DiscordChatFilter' });
export type ChatFilter = z.infer<typeof chatFilter>;
const filterChange = z.strictObject({ version: z.int().nonnegative(), ...filterFields });
export type ChatFilterChange = z.infer<typeof filterChange>;

const ofRelay = z.object({ id: z.string().max(64) });
const reading = ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'] as const;

export const discordChatHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/discord/chat-relays',
    summary:
      'Which chats of games go to which channels of Discord and back, the word filter, and the channels there are',
    access: 'settings.read',
    response: z.object({
      relays: z.array(chatRelay),
      filter: chatFilter,
      /** Null while the bot is away. */
      guild: botGuild.nullable(),
    }),
    problems: reading,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/discord/chat-relays',
    summary: 'Relay chat between a game server and a channel of Discord, from now on',
    access: 'settings.write',
    body: relayDraft,
    response: chatRelay,
    problems: [...reading, 'NOT_FOUND', 'CONFLICT'],
  }),
  // Before the endpoints with an id.
  changeFilter: endpoint({
    method: 'PUT',
    path: '/api/discord/chat-relays/filter',
    summary: 'Change the words that no relay lets pass',
    access: 'settings.write',
    body: filterChange,
    response: chatFilter,
    problems: [...reading, 'CONFLICT'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/discord/chat-relays/:id',
    summary: 'Change how chat is relayed between a game server and a channel of Discord',
    access: 'settings.write',
    params: ofRelay,
    body: relayDraft.safeExtend({ version: z.int() }),
    response: chatRelay,
    problems: [...reading, 'NOT_FOUND', 'CONFLICT'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/discord/chat-relays/:id',
    summary: 'Relay no more chat between a game server and a channel of Discord',
    access: 'settings.write',
    params: ofRelay,
    response: z.object({}),
    problems: [...reading, 'NOT_FOUND'],
  }),
} as const;

/** How a channel is for the bot, as far as chat is concerned. */
export const chatChannelStates = ['open', 'unknown', 'refused', 'too-many-webhooks'] as const;
export type ChatChannelState = (typeof chatChannelStates)[number];
const chatChannel = z.strictObject({
  id: discordId,
  state: z.enum(chatChannelStates),
  missing: z.array(z.enum(chatChannelPermissions)),
});
export type ChatChannel = z.infer<typeof chatChannel>;

const chatLine = z.object({
  name: z.string(),
  text: z.string(),
  /** Null: it need not be said, since the channel has one server alone. */
  serverName: z.string().nullable(),
});
export type ChatLine = z.infer<typeof chatLine>;

/** Lines of a game's chat that make one message. */
export const chatPost = z.object({
  id: z.string(),
  channelId: discordId,
  openedAt: z.iso.datetime(),
  /** It was handed out before, and may have been posted. */
  isRepeat: z.boolean(),
  /** It has waited too long: it is looked for, and not posted. */
  isExpired: z.boolean(),
  /** The newest message of a chat in this channel that is known; null: none yet. */
  afterMessageId: discordId.nullable(),
  /** All lines are this player's; null: they are of several. */
  speaker: z.object({ discordId: discordId.nullable() }).nullable(),
  /** None: the relay was switched off meanwhile. */
  lines: z.array(chatLine),
});
export type ChatPost = z.infer<typeof chatPost>;

export const chatPostOutcomes = ['posted', 'unpostable', 'expired'] as const;
export type ChatPostOutcome = (typeof chatPostOutcomes)[number];

/** Characters of a line that are relayed, either way. */
export const longestChatLine = 300;
export const longestChatName = 40;
/** Of a server, where lines name theirs. */
export const longestServerName = 32;
/** Of one call. */
export const mostHeardMessages = 20;

/** What a person wrote in a channel, as plain text in one line. */
const heardMessage = z.strictObject({
  id: discordId,
  channelId: discordId,
  authorId: discordId,
  name: z.string().max(longestChatName),
  text: z.string().max(longestChatLine),
  /** Since it was written. */
  ageMs: z.int().nonnegative(),
});
export type HeardMessage = z.infer<typeof heardMessage>;

/**
 * - `taken`: it is said in the games, where anybody is there to read it
 * - `ignored`: it was given before, is a command, or goes nowhere
 */
export const heardOutcomes = ['taken', 'ignored', 'late', 'flooded', 'held'] as const;
export type HeardOutcome = (typeof heardOutcomes)[number];

export const discordChatBotHttp = {
  take: endpoint({
    method: 'POST',
    path: '/api/internal/bot/chat/posts',
    summary: 'The bot takes the next chat for each channel; the same again until it is settled',
    access: 'bot.report',
    body: z.strictObject({
      /** Those that it was told of. */
      channels: z.array(chatChannel).max(1000),
      /** Channels for which it wants nothing yet. */
      busy: z.array(discordId).max(1000),
    }),
    bodyBytes: 500_000,
    response: z.object({
      channels: z.array(z.object({ id: discordId, isPostedInto: z.boolean(), isHeard: z.boolean() })),
      posts: z.array(chatPost),
    }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  settle: endpoint({
    method: 'POST',
    path: '/api/internal/bot/chat/posts/:id/settle',
    summary: 'What became of a post; it is not given again',
    access: 'bot.report',
    params: z.object({ id: z.string().max(25) }),
    body: z.strictObject({ outcome: z.enum(chatPostOutcomes), messageId: discordId.nullable() }),
    response: z.object({}),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  hear: endpoint({
    method: 'POST',
    path: '/api/internal/bot/chat/messages',
    summary:
      'What people wrote in channels, in order, to be said in games; given again, it is not said again',
    access: 'bot.report',
    body: z.strictObject({ messages: z.array(heardMessage).max(mostHeardMessages) }),
    response: z.object({ outcomes: z.array(z.enum(heardOutcomes)) }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
} as const;
