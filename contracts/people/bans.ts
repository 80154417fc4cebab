import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { codedReason } from '../kernel/reasons.ts';
import { recordId } from '../servers/clusters.ts';
import { commandOutcomes, gameId } from '../servers/games.ts';

/**
 * The state of a ban on one server, as far as the game's answers prove it.
 * - `waiting`: still to be applied there, or under way
 * - `in-force`: the game says that it banned the player
 * - `unconfirmed`: the game accepted the command, and its answer proves nothing
 * - `unknown`: the command may have arrived; it is sent again
 * - `refused`: the game refuses it, or the command cannot be built yet; it is tried again
 * - `lifting`, `lifted`, `lift-unconfirmed`, `lift-refused`: the same for lifting it
 * - `never`: lifted before it was applied there, so nothing was sent
 * - `held`: this ban has ended there, but another ban of the player is in force
 * - `gone`: the server is in the archive
 */
const banPlaceStates = [
  'waiting',
  'in-force',
  'unconfirmed',
  'unknown',
  'refused',
  'lifting',
  'lifted',
  'lift-unconfirmed',
  'lift-refused',
  'never',
  'held',
  'gone',
] as const;
export type BanPlaceState = (typeof banPlaceStates)[number];

export const banEnds = ['lifted', 'expired'] as const;
export type BanEnd = (typeof banEnds)[number];

export const longestBanReason = 300;

const time = z.iso.datetime();

const banActor = z.object({
  /** As the audit log names it, for example `admin:…`. */
  actor: z.string(),
  name: z.string().nullable(),
});

const banPlace = z.object({
  serverId: z.string(),
  /** One of the banned member's players in this game. */
  playerId: z.string(),
  playerName: z.string(),
  state: z.enum(banPlaceStates),
  /** When the ban on this server, or its lifting, was requested. */
  wantedAt: time,
  /** When the game last gave an answer that counts. */
  knownAt: time.nullable(),
  tries: z.int(),
  /** Null: nothing is left to send. */
  nextTryAt: time.nullable(),
  sentAt: time.nullable(),
  command: z.string().nullable(),
  outcome: z.enum(commandOutcomes).nullable(),
  reply: z.string().nullable(),
  detail: z.string().nullable(),
  /** The code of `detail`, if it is one of the API's sentences. */
  reason: codedReason,
});
export type BanPlace = z.infer<typeof banPlace>;

const ban = z
  .object({
    id: z.string(),
    /** Null: the player was erased. */
    playerId: z.string().nullable(),
    playerName: z.string(),
    platformId: z.string().nullable(),
    game: gameId,
    /** For all servers of the game, including future ones. */
    isEverywhere: z.boolean(),
    /** The servers that the ban is for, or with `isEverywhere` those where it was lifted. */
    serverIds: z.array(z.string()),
    reason: z.string(),
    bannedAt: time,
    by: banActor,
    /** Null: until someone lifts it. */
    until: time.nullable(),
    /** Null: it has not ended. */
    endedAt: time.nullable(),
    endedHow: z.enum(banEnds).nullable(),
    endedBy: banActor.nullable(),
    /** The number of servers in each state; states without servers are left out. */
    places: z.partialRecord(z.enum(banPlaceStates), z.int()),
  })
  .meta({ id: 'Ban' });
export type Ban = z.infer<typeof ban>;

const banDetails = ban.extend({ details: z.array(banPlace) }).meta({ id: 'BanDetails' });
export type BanDetails = z.infer<typeof banDetails>;

const newBan = z.strictObject({
  /** `all`: every server of the game, including future ones. */
  servers: z.union([z.literal('all'), z.array(recordId).min(1).max(1000)]),
  /** The game that `all` means; by default the player's. */
  game: gameId.optional(),
  reason: z
    .string()
    .trim()
    .max(longestBanReason)
    .regex(/^[^\p{Cc}]*$/u, 'must have no control characters')
    .default(''),
  /** Null: until someone lifts it. */
  until: time.nullable().default(null),
});
export type NewBan = z.output<typeof newBan>;

export const banStates = ['active', 'ended'] as const;

const rowId = z.string().regex(/^[1-9]\d{0,17}$/);
const ofBan = z.object({ id: rowId });

/** Shows only bans on servers where the caller holds `players.read` or `players.write`. */
export const bansHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/bans',
    summary: 'List bans, newest first; search by name, platform ID, reason or who banned',
    access: 'players.read',
    query: pageQuery.extend({
      text: z.string().trim().min(1).max(100).optional(),
      state: z.enum(banStates).optional(),
      game: gameId.optional(),
      /** Includes bans of the same member's other players. */
      playerId: rowId.optional(),
    }),
    response: pageOf(ban),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/bans/:id',
    summary: "Return a ban, with its state on each server and the game's reply",
    access: 'players.read',
    params: ofBan,
    response: banDetails,
  }),
  give: endpoint({
    method: 'POST',
    path: '/api/players/:id/bans',
    summary:
      'Ban a player on servers of one game; the ban is stored and sent to every server, including those offline now, and repeating it for the same servers changes its reason and end',
    access: 'players.write',
    params: ofBan,
    body: newBan,
    response: banDetails,
    problems: [...changeProblems, 'NOT_FOUND', 'SERVER_ARCHIVED', 'NO_SUCH_COMMAND'],
  }),
  lift: endpoint({
    method: 'POST',
    path: '/api/bans/:id/lift',
    summary: 'Lift a ban on all its servers; nothing is sent to servers that never received it',
    access: 'players.write',
    params: ofBan,
    body: z.strictObject({}),
    response: banDetails,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/bans/:id/restore',
    summary: 'Undo the lifting of a ban, as long as the ban has not expired',
    access: 'players.write',
    params: ofBan,
    body: z.strictObject({}),
    response: banDetails,
    problems: [...changeProblems, 'NOT_FOUND', 'CONFLICT'],
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/bans/:id/send',
    summary: 'Resend a ban, or its end, to all its servers now, for example after a server lost its list',
    access: 'players.write',
    params: ofBan,
    body: z.strictObject({}),
    response: banDetails,
  }),
} as const;
