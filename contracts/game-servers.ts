import * as z from 'zod';
import { agentModes } from './agent-connection.ts';
import { displayName, recordId } from './clusters.ts';
import { commandOutcomes, gameId } from './games.ts';
import { endpoint } from './http.ts';

/**
 * What is said of a server, from its console and its process.
 * - `running`: its process runs; whether it answers cannot be known
 * - `console-silent`: its process runs, and its console has not answered for long
 * - `lost`: the agent that knew its process is away
 */
export const shownStates = [
  'online',
  'running',
  'starting',
  'console-silent',
  'stopping',
  'stopped',
  'backing-off',
  'crash-looping',
  'offline',
  'lost',
  'unknown',
] as const;
export type ShownState = (typeof shownStates)[number];

/** How a server is doing, as far as something proves it: `online` only while the game itself answers. */
export const gameServerStatus = z.object({
  /** `unknown`: nobody has asked it yet, or there is no way to. */
  state: z.enum(['online', 'starting', 'offline', 'unknown']),
  /** Why it is not online, for people. */
  detail: z.string().nullable(),
  outcome: z.enum(commandOutcomes).nullable(),
  /** Who says so. */
  via: z.enum(['agent', 'direct']).nullable(),
  since: z.iso.datetime().nullable(),
  /** When the game itself last answered. */
  answeredAt: z.iso.datetime().nullable(),
  /** Null when it is not known. */
  players: z.int().nullable(),
  agentMode: z.enum(agentModes).nullable(),
  shown: z.enum(shownStates),
  /** What belongs to `shown`; null: no agent tells of a process. */
  process: z
    .object({
      /** Since it last ran stably. */
      crashes: z.int().nonnegative(),
      /** After a crash; null: it is not started by itself. */
      nextStartAt: z.iso.datetime().nullable(),
      /** When the agent was last heard of; null: it is there. */
      lostAt: z.iso.datetime().nullable(),
    })
    .nullable(),
});
export type GameServerStatus = z.infer<typeof gameServerStatus>;

export const gameServer = z
  .object({
    id: z.string(),
    clusterId: z.string(),
    name: z.string(),
    game: gameId,
    /** Of the game's console, for the API to reach it itself; null: through the Game Agent alone. */
    host: z.string().nullable(),
    port: z.int(),
    /** The password is kept encrypted and never shown. */
    hasPassword: z.boolean(),
    createdAt: z.iso.datetime(),
    archivedAt: z.iso.datetime().nullable(),
    /** Counts up with every change. */
    version: z.int(),
    status: gameServerStatus,
  })
  .meta({ id: 'GameServer' });
export type GameServer = z.infer<typeof gameServer>;

/** A host name or an IP address; no scheme, port or path. */
const hostName = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(
    /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?\.?|\[?[0-9A-Fa-f:.]+(?:%[\w.-]+)?\]?)$/,
    'must be a host name or an IP address',
  );
const port = z.int().min(1).max(65_535);
/** What every game can take: one line, and short enough for a frame. */
const consolePassword = z
  .string()
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must have no control characters');

const newGameServer = z.strictObject({
  clusterId: recordId,
  name: displayName,
  game: gameId,
  host: hostName.nullable().default(null),
  /** Absent: the game's own default. */
  port: port.optional(),
  password: consolePassword.optional(),
});
export type NewGameServer = z.output<typeof newGameServer>;

const gameServerChange = z.strictObject({
  /** The version that the change was made from. */
  version: z.int(),
  clusterId: recordId.optional(),
  name: displayName.optional(),
  host: hostName.nullable().optional(),
  port: port.optional(),
  /** Absent: stays as it is; empty: the game asks for none. A stored one goes to no other host or port: give it again with a new one. */
  password: consolePassword.optional(),
});
export type GameServerChange = z.output<typeof gameServerChange>;

/** What to try: a server that exists with its own password, or values that are not saved yet. */
const connectionTest = z.strictObject({
  game: gameId,
  host: hostName,
  port,
  /** Absent: the stored password of `serverId`, for its stored host and port alone. */
  password: consolePassword.optional(),
  serverId: recordId.optional(),
});
export type ConnectionTest = z.output<typeof connectionTest>;

export const connectionReport = z.object({
  outcome: z.enum(commandOutcomes),
  /** What is wrong and what to do about it, or what was found, for people. */
  detail: z.string(),
  /** Null unless it was answered. */
  latencyMs: z.number().nullable(),
  players: z.int().nullable(),
});
export type ConnectionReport = z.infer<typeof connectionReport>;

const ofServer = z.object({ id: recordId });
const reading = ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'] as const;
const changing = [...reading, 'CROSS_ORIGIN'] as const;

/** Lists hold the servers that the caller may see; making one needs `servers.write` everywhere. */
export const gameServersHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/servers',
    summary: 'The game servers that you may see, by name, with their status',
    access: 'servers.read',
    query: z.object({
      archived: z.enum(['true', 'false']).default('false'),
      clusterId: recordId.optional(),
    }),
    response: z.object({ rows: z.array(gameServer) }),
    problems: reading,
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/servers/:id',
    summary: 'One game server with its status',
    access: 'servers.read',
    params: ofServer,
    response: gameServer,
    problems: [...reading, 'NOT_FOUND'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/servers',
    summary: 'Make a game server',
    access: 'servers.write',
    body: newGameServer,
    response: gameServer,
    problems: [...changing, 'NOT_FOUND', 'NAME_TAKEN', 'SERVER_ARCHIVED'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/servers/:id',
    summary: 'Change a game server; it is reached anew at once',
    access: 'servers.write',
    params: ofServer,
    body: gameServerChange,
    response: gameServer,
    problems: [...changing, 'NOT_FOUND', 'NAME_TAKEN', 'CONFLICT', 'SERVER_ARCHIVED'],
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/servers/:id/archive',
    summary: 'Put a game server into the archive; its history stays readable',
    access: 'servers.write',
    params: ofServer,
    response: gameServer,
    problems: [...changing, 'NOT_FOUND'],
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/servers/:id/restoration',
    summary: 'Take a game server out of the archive',
    access: 'servers.write',
    params: ofServer,
    response: gameServer,
    problems: [...changing, 'NOT_FOUND', 'NAME_TAKEN', 'SERVER_ARCHIVED'],
  }),
  testConnection: endpoint({
    method: 'POST',
    path: '/api/servers/connection-test',
    summary: 'Try to reach a console, and say what is wrong',
    access: 'servers.write',
    body: connectionTest,
    response: connectionReport,
    problems: [...changing, 'NOT_FOUND', 'SECRET_UNREADABLE', 'RATE_LIMITED'],
  }),
} as const;
