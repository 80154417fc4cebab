import * as z from 'zod';
import { endpoint, readProblems } from '../kernel/http.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { recordId } from '../servers/clusters.ts';
import { discordId, type discordPermissions } from './discord-application.ts';
import { botGuild } from './discord-events.ts';

/** What the bot needs in a channel that receives chat; to hear people there, it needs only the first one, and `connect` in a voice channel. */
export const chatChannelPermissions = [
  'viewChannels',
  'manageWebhooks',
  'readHistory',
  'connect',
] as const satisfies readonly (keyof typeof discordPermissions | 'connect')[];
export type ChatChannelPermission = (typeof chatChannelPermissions)[number];

const relayFields = {
  isEnabled: z.boolean(),
  serverId: recordId,
  channelId: discordId,
  toDiscord: z.boolean(),
  toGame: z.boolean(),
  /** Lines from other servers of the channel are shown on this one, too. Only with `toGame`. */
  fromServers: z.boolean(),
};
const relayDraft = z.strictObject(relayFields).refine(({ toDiscord, toGame }) => toDiscord || toGame, {
  error: 'must go one way at least',
  path: ['toDiscord'],
});
export type ChatRelayDraft = z.infer<typeof relayDraft>;

/** Why chat is not relayed, or only in one direction. */
const chatRelayObstacles = [
  /** The bot is not signed in, or not on the Discord server. */
  'bot-away',
  /** Discord has trouble with the Discord server. */
  'guild-unavailable',
  'server-archived',
  'channel-unknown',
  'permissions-missing',
  /** Discord refuses it although the permissions allow it. */
  'refused',
  /** The channel has as many webhooks as Discord allows, and none is the bot's. */
  'too-many-webhooks',
  /** Neither a Game Agent nor the console reports what is said in the game. */
  'chat-not-heard',
  'game-not-online',
] as const;
export type ChatRelayObstacle = (typeof chatRelayObstacles)[number];

const chatRelay = z
  .object({
    id: z.string(),
    version: z.int(),
    ...relayFields,
    obstacles: z.array(z.enum(chatRelayObstacles)),
    missing: z.array(z.enum(chatChannelPermissions)),
    /**
     * When the last line was relayed, and how many were left out: by the flood limit, by the word filter, or because
     * they had waited too long.
     */
    toDiscordAt: z.iso.datetime().nullable(),
    toGameAt: z.iso.datetime().nullable(),
    toDiscordLeftOut: z.int().nonnegative(),
    toGameLeftOut: z.int().nonnegative(),
  })
  .meta({ id: 'DiscordChatRelay' });
export type ChatRelay = z.infer<typeof chatRelay>;

export const mostFilterWords = 200;
const longestFilterWord = 60;
/** What happens to a line that contains one of the words. */
export const filterTreatments = ['mask', 'hold'] as const;
export type FilterTreatment = (typeof filterTreatments)[number];

/** `*` means any letters; alone, or next to a single letter, it would match nearly every word. */
export const isFilterWord = (text: string): boolean =>
  text.length <= longestFilterWord &&
  !/\p{Cc}/u.test(text) &&
  text
    .trim()
    .split(/\s+/u)
    .every((word) => (word.match(/[\p{L}\p{N}]/gu) ?? []).length >= (word.includes('*') ? 2 : 1));

const filterFields = {
  /** Words or phrases; `*` in a word means any letters. */
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
const chatFilter = z
  .object({
    /** 0 until something is saved. */
    version: z.int().nonnegative(),
    words: z.array(z.string()),
    treatment: z.enum(filterTreatments),
  })
  .meta({ id: 'DiscordChatFilter' });
export type ChatFilter = z.infer<typeof chatFilter>;
const filterChange = z.strictObject({ version: rowVersion, ...filterFields });
export type ChatFilterChange = z.infer<typeof filterChange>;

const ofRelay = z.object({ id: z.string().max(64) });

export const discordChatHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/discord/chat-relays',
    summary:
      'List the chat relays between games and Discord channels, the word filter and the available channels',
    access: 'settings.read',
    response: z.object({
      relays: z.array(chatRelay),
      filter: chatFilter,
      /** Null while the bot is not connected. */
      guild: botGuild.nullable(),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/discord/chat-relays',
    summary: 'Create a chat relay between a game server and a Discord channel, effective from now on',
    access: 'settings.write',
    body: relayDraft,
    response: chatRelay,
    problems: [...readProblems, 'NOT_FOUND', 'CONFLICT'],
  }),
  // Before the endpoints with an id.
  changeFilter: endpoint({
    method: 'PUT',
    path: '/api/discord/chat-relays/filter',
    summary: 'Change the words that chat relays filter out',
    access: 'settings.write',
    body: filterChange,
    response: chatFilter,
    problems: [...readProblems, 'CONFLICT'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/discord/chat-relays/:id',
    summary: 'Change a chat relay between a game server and a Discord channel',
    access: 'settings.write',
    params: ofRelay,
    body: relayDraft.safeExtend({ version: rowVersion }),
    response: chatRelay,
    problems: [...readProblems, 'NOT_FOUND', 'CONFLICT'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/discord/chat-relays/:id',
    summary: 'Delete a chat relay between a game server and a Discord channel',
    access: 'settings.write',
    params: ofRelay,
    response: z.object({}),
    problems: [...readProblems, 'NOT_FOUND'],
  }),
} as const;

/** The state of a channel for the bot, as far as chat is concerned. */
const chatChannelStates = ['open', 'unknown', 'refused', 'too-many-webhooks'] as const;
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
  /** Null: not needed, since the channel has only one server. */
  serverName: z.string().nullable(),
});
export type ChatLine = z.infer<typeof chatLine>;

/** Lines of a game's chat that form one message. */
const chatPost = z.object({
  id: z.string(),
  channelId: discordId,
  openedAt: z.iso.datetime(),
  /** It was handed out before, and may have been posted. */
  isRepeat: z.boolean(),
  /** It has waited too long: the bot looks for it, but does not post it. */
  isExpired: z.boolean(),
  /** The newest known chat message in this channel; null: none yet. */
  afterMessageId: discordId.nullable(),
  /** The player of all lines; null: they are from several players. */
  speaker: z.object({ discordId: discordId.nullable() }).nullable(),
  /** Empty: the relay has been switched off since. */
  lines: z.array(chatLine),
});
export type ChatPost = z.infer<typeof chatPost>;

const chatPostOutcomes = ['posted', 'unpostable', 'expired'] as const;
export type ChatPostOutcome = (typeof chatPostOutcomes)[number];

/** The most characters of a line that are relayed, in either direction. */
export const longestChatLine = 300;
export const longestChatName = 40;
/** For a server's name in front of a line. */
export const longestServerName = 32;
/** Per call. */
export const mostHeardMessages = 20;

/** What a person wrote in a channel, as one line of plain text. */
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
 * - `taken`: it is shown in the games, if anyone is there to read it
 * - `ignored`: it was sent before, is a command, or has no target
 */
const heardOutcomes = ['taken', 'ignored', 'late', 'flooded', 'held'] as const;
export type HeardOutcome = (typeof heardOutcomes)[number];

export const discordChatBotHttp = {
  take: endpoint({
    method: 'POST',
    path: '/api/internal/bot/chat/posts',
    summary: 'Fetch the next chat post for each channel; returned again until settled',
    access: 'bot.report',
    body: z.strictObject({
      /** The channels that the bot was told about. */
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
    summary: 'Report the result of a post; it is not handed out again',
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
      'Submit messages from Discord channels, in order, to show in games; a message submitted again is not shown again',
    access: 'bot.report',
    body: z.strictObject({ messages: z.array(heardMessage).max(mostHeardMessages) }),
    response: z.object({ outcomes: z.array(z.enum(heardOutcomes)) }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
} as const;
