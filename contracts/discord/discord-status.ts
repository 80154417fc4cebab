import * as z from 'zod';
import { endpoint, readProblems } from '../kernel/http.ts';
import { languages } from '../kernel/language.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { recordId } from '../servers/clusters.ts';
import { gameServerStatus } from '../servers/game-servers.ts';
import { gameId } from '../servers/games.ts';
import { discordId } from './discord-application.ts';
import { eventChannelPermissions } from './discord-events.ts';

/** Per message. */
const mostJoins = 100;
/** Per server; for the others, only their number is shown. */
export const mostListedPlayers = 100;

const shownText = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must have no control characters');

/** Information that no console provides: typed in for readers who want to play. Empty: not shown. */
const statusJoin = z.strictObject({
  serverId: recordId,
  /** The address that players connect to; never the console's. */
  address: shownText(120),
  map: shownText(80),
});
export type StatusJoin = z.infer<typeof statusJoin>;

const statusTarget = z.strictObject({ kind: z.enum(['server', 'cluster']), id: recordId });
export type StatusTarget = z.infer<typeof statusTarget>;

const messageFields = {
  isEnabled: z.boolean(),
  channelId: discordId,
  target: statusTarget,
  showsNames: z.boolean(),
  joins: z.array(statusJoin).max(mostJoins),
};

/** Why a message is not kept up to date. */
const statusObstacles = [
  /** The bot is not signed in, or not on the Discord server. */
  'bot-away',
  /** Discord has trouble with the Discord server. */
  'guild-unavailable',
  /** The server or cluster is in the archive. */
  'target-gone',
  'channel-unknown',
  'permissions-missing',
  'refused',
] as const;
export type StatusObstacle = (typeof statusObstacles)[number];

const statusMessage = z
  .object({
    id: z.string(),
    version: z.int(),
    ...messageFields,
    obstacle: z.enum(statusObstacles).nullable(),
    missing: z.array(z.enum(eventChannelPermissions)),
    /** When it was last posted or edited; null: it does not exist yet. */
    shownAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'DiscordStatusMessage' });
export type StatusMessage = z.infer<typeof statusMessage>;

const newMessage = z.strictObject(messageFields);
export type NewStatusMessage = z.infer<typeof newMessage>;
const messageChange = newMessage.partial().extend({ version: rowVersion });
export type StatusMessageChange = z.infer<typeof messageChange>;

const ofMessage = z.object({ id: z.string().max(64) });

export const discordStatusHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/discord/status-messages',
    summary: 'List the Discord messages that show the status of servers',
    access: 'settings.read',
    response: z.object({ messages: z.array(statusMessage) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/discord/status-messages',
    summary: 'Create a status message for a server or a cluster in a Discord channel, kept up to date',
    access: 'settings.write',
    body: newMessage,
    response: statusMessage,
    problems: [...readProblems, 'NOT_FOUND'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/discord/status-messages/:id',
    summary: 'Change what a status message shows, or where; switching it off deletes it in Discord',
    access: 'settings.write',
    params: ofMessage,
    body: messageChange,
    response: statusMessage,
    problems: [...readProblems, 'NOT_FOUND', 'CONFLICT'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/discord/status-messages/:id',
    summary: 'Delete a status message, also in Discord',
    access: 'settings.write',
    params: ofMessage,
    response: z.object({}),
    problems: [...readProblems, 'NOT_FOUND'],
  }),
} as const;

/** A server's state, as far as it is proven. */
const shownServer = z.object({
  id: z.string(),
  name: z.string(),
  game: gameId,
  ...gameServerStatus.pick({ state: true, since: true, answeredAt: true, players: true }).shape,
  /** Null: not to be shown, or unknown. */
  names: z.array(z.string()).max(mostListedPlayers).nullable(),
  address: z.string(),
  map: z.string(),
});
export type ShownServer = z.infer<typeof shownServer>;

const statusBoard = z.object({
  /** The name of the server or cluster. */
  title: z.string(),
  kind: statusTarget.shape.kind,
  servers: z.array(shownServer),
  /** The community's name; absent if it has none. */
  community: z.string().optional(),
});
export type StatusBoard = z.infer<typeof statusBoard>;

const postId = z.string().max(25);
const messageId = discordId;
/** The bot's digest of what a message shows. */
const digest = z.string().max(64);
/** Discord's edit time; null: never edited. */
const editedAt = z.string().max(64).nullable();

/** What the bot is to keep. Exactly one of `messageId` and `post` is set. */
const keptMessage = z.object({
  id: z.string(),
  channelId: discordId,
  messageId: messageId.nullable(),
  /** The post to make. Unique, at most 25 characters, for Discord's nonce. The message shows it, so that it can be found again. */
  post: z
    .object({
      id: postId,
      openedAt: z.iso.datetime(),
      /** It was handed out before, and may have been posted. */
      isRepeat: z.boolean(),
    })
    .nullable(),
  /** The last confirmed content in Discord; null: unknown. */
  shown: z.object({ digest, editedAt }).nullable(),
  /** Null: the servers' state is not known well enough yet, for example right after a start. */
  board: statusBoard.nullable(),
});
export type KeptMessage = z.infer<typeof keptMessage>;

/** A message to delete; if only its post is known, it may not exist at all. */
const removedMessage = z.object({
  id: z.string(),
  channelId: discordId,
  messageId: messageId.nullable(),
  post: z.object({ id: postId, openedAt: z.iso.datetime() }).nullable(),
});
export type RemovedMessage = z.infer<typeof removedMessage>;

const statusOutcome = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('posted'),
    post: postId,
    channelId: discordId,
    messageId,
    /** Null: it was found in the channel, and its content is unknown. */
    shown: z.object({ digest, editedAt }).nullable(),
  }),
  z.strictObject({ outcome: z.literal('edited'), messageId, shown: z.object({ digest, editedAt }) }),
  /** Discord no longer has it; for a post: it was made, and deleted since. */
  z.strictObject({ outcome: z.literal('gone'), messageId: messageId.nullable(), post: postId.nullable() }),
  /** Discord no longer allows edits of it. */
  z.strictObject({ outcome: z.literal('frozen'), messageId }),
  z.strictObject({ outcome: z.literal('refused') }),
]);
export type StatusOutcome = z.infer<typeof statusOutcome>;

export const discordStatusBotHttp = {
  take: endpoint({
    method: 'POST',
    path: '/api/internal/bot/status-messages',
    summary: 'Fetch which status messages to keep, what they show, and which to delete',
    access: 'bot.report',
    body: z.strictObject({ guildId: discordId }),
    response: z.object({
      language: z.enum(languages),
      messages: z.array(keptMessage),
      removed: z.array(removedMessage),
    }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  settle: endpoint({
    method: 'POST',
    path: '/api/internal/bot/status-messages/:id/settle',
    summary: 'Report the result of a status message',
    access: 'bot.report',
    params: ofMessage,
    body: statusOutcome,
    response: z.object({}),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  settleRemoved: endpoint({
    method: 'POST',
    path: '/api/internal/bot/removed-status-messages/:id',
    summary: 'Report that a status message no longer exists in Discord',
    access: 'bot.report',
    params: ofMessage,
    response: z.object({}),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
} as const;
