import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { recordId } from '../servers/clusters.ts';
import { commandOutcomes, gameId, playerActions } from '../servers/games.ts';

const onlinePlayer = z
  .object({
    serverId: z.string(),
    playerId: z.string(),
    name: z.string(),
    platformId: z.string().nullable(),
    joinedAt: z.iso.datetime(),
  })
  .meta({ id: 'OnlinePlayer' });

/** The players on a server, as far as they are known. */
export const serverPlayers = z
  .object({
    serverId: z.string(),
    /** Null: unknown at the moment; `asOf` then says how long the list was valid. */
    players: z.array(onlinePlayer).nullable(),
    source: z.enum(['agent', 'direct']).nullable(),
    asOf: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ServerPlayers' });
export type ServerPlayers = z.infer<typeof serverPlayers>;

export const player = z
  .object({
    id: z.string(),
    /** The newest name. */
    name: z.string(),
    /** `steam:…`, `eos:…`, `minecraft:…`, `xbl:…`; null if the game shows none, so that there is only the name. */
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

const playerSession = z.object({
  id: z.string(),
  serverId: z.string(),
  joinedAt: z.iso.datetime(),
  /** Null while they are online. */
  leftAt: z.iso.datetime().nullable(),
  playedSeconds: z.int().nonnegative(),
});
export type PlayerSession = z.infer<typeof playerSession>;

const playerDetails = player.extend({
  names: z.array(z.object({ name: z.string(), firstSeenAt: z.iso.datetime(), lastSeenAt: z.iso.datetime() })),
});
export type PlayerDetails = z.infer<typeof playerDetails>;

/** An action on a player on one server. */
const moderationAction = z
  .strictObject({
    serverId: recordId,
    action: z.enum(playerActions),
    /** What the player reads: the message, or the reason for the kick or ban. */
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

const moderationReport = z.object({
  outcome: z.enum(commandOutcomes),
  /** What the game's answer proves; null if there was no answer. */
  verdict: z.enum(['done', 'failed', 'later', 'unproven']).nullable(),
  /** For people. */
  detail: z.string(),
  /** A ban, or an unban, that is kept and applied to the server later. */
  kept: z.boolean().optional(),
});
export type ModerationReport = z.infer<typeof moderationReport>;

const ofPlayer = z.object({ id: z.string().regex(/^\d{1,18}$/) });

/** Shows only what happened on servers where the caller holds `players.read`. */
export const playersHttp = {
  online: endpoint({
    method: 'GET',
    path: '/api/players/online',
    summary: 'List the players online now, by server',
    access: 'players.read',
    query: z.object({ serverId: recordId.optional() }),
    response: z.object({ rows: z.array(serverPlayers) }),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/players',
    summary:
      'List all players ever seen, most recently seen first; search by any current or former name, or by platform ID',
    access: 'players.read',
    query: pageQuery.extend({
      text: z.string().trim().min(1).max(100).optional(),
      serverId: recordId.optional(),
    }),
    response: pageOf(player),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/players/:id',
    summary: 'Return a player with all names',
    access: 'players.read',
    params: ofPlayer,
    response: playerDetails,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/players/:id/sessions',
    summary: "List a player's sessions, newest first",
    access: 'players.read',
    params: ofPlayer,
    query: pageQuery,
    response: pageOf(playerSession),
  }),
  act: endpoint({
    method: 'POST',
    path: '/api/players/:id/actions',
    formerPath: '/api/players/:id/orders',
    summary:
      'Kick, ban, message or whitelist a player on a server; a ban is stored and sent later to a server that is offline, everything else also appears in the console history',
    access: 'players.write',
    params: ofPlayer,
    body: moderationAction,
    response: moderationReport,
    problems: [...changeProblems, 'NOT_FOUND', 'SERVER_ARCHIVED', 'NO_SUCH_COMMAND', 'RATE_LIMITED'],
  }),
  broadcast: endpoint({
    method: 'POST',
    path: '/api/servers/:id/broadcast',
    summary: 'Broadcast a message to everyone on a server',
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
    problems: [...changeProblems, 'NOT_FOUND', 'SERVER_ARCHIVED', 'NO_SUCH_COMMAND', 'RATE_LIMITED'],
  }),
} as const;
