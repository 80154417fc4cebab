import * as z from 'zod';
import { recordId } from './clusters.ts';
import { commandOutcomes, gameId } from './games.ts';
import { endpoint } from './http.ts';
import { pageOf, pageQuery } from './paging.ts';

export const onlinePlayer = z
  .object({
    serverId: z.string(),
    playerId: z.string(),
    name: z.string(),
    platformId: z.string().nullable(),
    joinedAt: z.iso.datetime(),
  })
  .meta({ id: 'OnlinePlayer' });

/** Who is on a server, as far as that is known. */
export const serverPlayers = z
  .object({
    serverId: z.string(),
    /** Null: not known at the moment; `asOf` then says until when the list held. */
    players: z.array(onlinePlayer).nullable(),
    source: z.enum(['agent', 'direct']).nullable(),
    asOf: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ServerPlayers' });
export type ServerPlayers = z.infer<typeof serverPlayers>;

export const player = z
  .object({
    id: z.string(),
    /** The newest. */
    name: z.string(),
    /** `steam:…`, `eos:…`, `minecraft:…`, `xbl:…`; null where the game shows none, and the name is all there is. */
    platformId: z.string().nullable(),
    game: gameId,
    firstSeenAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime(),
    playedSeconds: z.int().nonnegative(),
    /** The server that they are on now. */
    onlineOn: z.string().nullable(),
  })
  .meta({ id: 'Player' });
export type Player = z.infer<typeof player>;

export const playerSession = z.object({
  id: z.string(),
  serverId: z.string(),
  joinedAt: z.iso.datetime(),
  /** Null while it lasts. */
  leftAt: z.iso.datetime().nullable(),
  playedSeconds: z.int().nonnegative(),
});
export type PlayerSession = z.infer<typeof playerSession>;

export const playerDetails = player.extend({
  names: z.array(z.object({ name: z.string(), firstSeenAt: z.iso.datetime(), lastSeenAt: z.iso.datetime() })),
});
export type PlayerDetails = z.infer<typeof playerDetails>;

export const playerActions = [
  'kick',
  'ban',
  'unban',
  'message',
  'whitelist-add',
  'whitelist-remove',
] as const;

/** What is done to a player on one server. */
const moderationAction = z
  .strictObject({
    serverId: recordId,
    action: z.enum(playerActions),
    /** What the player is told: the message, or why they are kicked or banned. */
    text: z
      .string()
      .trim()
      .max(300)
      .regex(/^[^\p{Cc}]*$/u, 'must have no control characters')
      .default(''),
  })
  .refine(({ action, text }) => action !== 'message' || text !== '', {
    error: 'must say something',
    path: ['text'],
  });
export type ModerationAction = z.output<typeof moderationAction>;

export const moderationReport = z.object({
  outcome: z.enum(commandOutcomes),
  /** What the game's answer proves; null when it was not answered. */
  verdict: z.enum(['done', 'failed', 'later', 'unproven']).nullable(),
  /** For people. */
  detail: z.string(),
});
export type ModerationReport = z.infer<typeof moderationReport>;

const ofPlayer = z.object({ id: z.string().regex(/^\d{1,18}$/) });
const reading = ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'] as const;

/** Only what happened on servers where the caller holds `players.read` is shown. */
export const playersHttp = {
  online: endpoint({
    method: 'GET',
    path: '/api/players/online',
    summary: 'Who is on which server now',
    access: 'players.read',
    query: z.object({ serverId: recordId.optional() }),
    response: z.object({ rows: z.array(serverPlayers) }),
    problems: reading,
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/players',
    summary: 'All players ever seen, the last seen first; by any name that they had, or by platform id',
    access: 'players.read',
    query: pageQuery.extend({
      text: z.string().trim().min(1).max(100).optional(),
      serverId: recordId.optional(),
    }),
    response: pageOf(player),
    problems: reading,
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/players/:id',
    summary: 'One player with all names',
    access: 'players.read',
    params: ofPlayer,
    response: playerDetails,
    problems: [...reading, 'NOT_FOUND'],
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/players/:id/sessions',
    summary: "A player's sessions, the newest first",
    access: 'players.read',
    params: ofPlayer,
    query: pageQuery,
    response: pageOf(playerSession),
    problems: [...reading, 'NOT_FOUND'],
  }),
  act: endpoint({
    method: 'POST',
    path: '/api/players/:id/actions',
    formerPath: '/api/players/:id/orders',
    summary: 'Kick, ban, message or whitelist a player on a server; it stands in the console history, too',
    access: 'players.write',
    params: ofPlayer,
    body: moderationAction,
    response: moderationReport,
    problems: [...reading, 'CROSS_ORIGIN', 'NOT_FOUND', 'SERVER_ARCHIVED', 'NO_SUCH_COMMAND', 'RATE_LIMITED'],
  }),
  broadcast: endpoint({
    method: 'POST',
    path: '/api/servers/:id/broadcast',
    summary: 'Say something to everybody on a server',
    access: 'players.write',
    params: z.object({ id: recordId }),
    body: z.strictObject({
      text: z
        .string()
        .trim()
        .min(1)
        .max(300)
        .regex(/^[^\p{Cc}]*$/u, 'must have no control characters'),
    }),
    response: moderationReport,
    problems: [...reading, 'CROSS_ORIGIN', 'NOT_FOUND', 'SERVER_ARCHIVED', 'NO_SUCH_COMMAND', 'RATE_LIMITED'],
  }),
} as const;
