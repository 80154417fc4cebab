import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { agentModes } from './agent-connection.ts';
import { displayName, recordId } from './clusters.ts';
import { commandOutcomes, gameId } from './games.ts';

/**
 * The state that is shown for a server, from its console and its process.
 * - `running`: its process runs; whether it answers cannot be known
 * - `console-silent`: its process runs, and its console has not answered for a long time
 * - `program-fault`: its program does not exist or cannot be loaded; its agent starts it once it can be
 * - `lost`: the agent that reported its process is not connected
 */
export const shownStates = [
  'online',
  'running',
  'starting',
  'console-silent',
  'stopping',
  'stopped',
  'program-fault',
  'backing-off',
  'crash-looping',
  'offline',
  'lost',
  'unknown',
] as const;
export type ShownState = (typeof shownStates)[number];

/** A server's state, as far as it is proven: `online` only while the game itself answers. */
export const gameServerStatus = z.object({
  /** `unknown`: not asked yet, or there is no way to ask. */
  state: z.enum(['online', 'starting', 'offline', 'unknown']),
  /** Why it is not online, for people. */
  detail: z.string().nullable(),
  outcome: z.enum(commandOutcomes).nullable(),
  /** The source of this state. */
  via: z.enum(['agent', 'direct']).nullable(),
  since: z.iso.datetime().nullable(),
  /** When the game itself last answered. */
  answeredAt: z.iso.datetime().nullable(),
  /** Null if unknown. */
  players: z.int().nullable(),
  agentMode: z.enum(agentModes).nullable(),
  shown: z.enum(shownStates),
  /** Details of the process behind `shown`; null: no agent reports one. */
  process: z
    .object({
      /** Since it last ran stably. */
      crashes: z.int().nonnegative(),
      /** After a crash; null: it is not restarted automatically. */
      nextStartAt: z.iso.datetime().nullable(),
      /** When the agent was last heard; null: it is connected. */
      lostAt: z.iso.datetime().nullable(),
    })
    .nullable(),
});
export type GameServerStatus = z.infer<typeof gameServerStatus>;

const gameServer = z
  .object({
    id: z.string(),
    clusterId: z.string(),
    name: z.string(),
    game: gameId,
    /** The game's console, for direct connections from the API; null: only through the Game Agent. */
    host: z.string().nullable(),
    port: z.int(),
    /** The password is stored encrypted and never shown. */
    hasPassword: z.boolean(),
    createdAt: z.iso.datetime(),
    archivedAt: z.iso.datetime().nullable(),
    /** Incremented by every change. */
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
/** Valid for every game: one line, and short enough for a frame. */
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
  /** The version that the change is based on. */
  version: rowVersion,
  clusterId: recordId.optional(),
  name: displayName.optional(),
  host: hostName.nullable().optional(),
  port: port.optional(),
  /**
   * Absent: unchanged; empty: the game asks for none. A stored password is never sent to another host or port: a change
   * of these needs the password again.
   */
  password: consolePassword.optional(),
});
export type GameServerChange = z.output<typeof gameServerChange>;

/** What to test: an existing server with its own password, or values that are not saved yet. */
const connectionTest = z.strictObject({
  game: gameId,
  host: hostName,
  port,
  /** Absent: uses the stored password of `serverId`, only for its stored host and port. */
  password: consolePassword.optional(),
  serverId: recordId.optional(),
});
export type ConnectionTest = z.output<typeof connectionTest>;

const connectionReport = z.object({
  outcome: z.enum(commandOutcomes),
  /** What is wrong and how to fix it, or what was found, for people. */
  detail: z.string(),
  /** Null if there was no answer. */
  latencyMs: z.number().nullable(),
  players: z.int().nullable(),
});
export type ConnectionReport = z.infer<typeof connectionReport>;

const ofServer = z.object({ id: recordId });

/** Lists contain the servers that the caller may see; creating one needs `servers.write` everywhere. */
export const gameServersHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/servers',
    summary: 'List the game servers that you can see, by name, with their status',
    access: 'servers.read',
    query: z.object({
      archived: z.enum(['true', 'false']).default('false'),
      clusterId: recordId.optional(),
    }),
    response: z.object({ rows: z.array(gameServer) }),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/servers/:id',
    summary: 'Return a game server with its status',
    access: 'servers.read',
    params: ofServer,
    response: gameServer,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/servers',
    summary: 'Create a game server',
    access: 'servers.write',
    body: newGameServer,
    response: gameServer,
    problems: [...changeProblems, 'NOT_FOUND', 'NAME_TAKEN', 'SERVER_ARCHIVED', 'SERVER_ADDRESS_TAKEN'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/servers/:id',
    summary:
      'Change a game server; it is reconnected immediately. Another host or port needs a recent confirmation of a person, and ends the trust in its chat',
    access: 'servers.write',
    params: ofServer,
    body: gameServerChange,
    response: gameServer,
    problems: [
      ...changeProblems,
      'NOT_FOUND',
      'NAME_TAKEN',
      'CONFLICT',
      'SERVER_ARCHIVED',
      'SERVER_ADDRESS_TAKEN',
      'STEP_UP_REQUIRED',
    ],
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/servers/:id/archive',
    summary: 'Archive a game server; its history stays readable',
    access: 'servers.write',
    params: ofServer,
    response: gameServer,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/servers/:id/restoration',
    summary: 'Restore an archived game server',
    access: 'servers.write',
    params: ofServer,
    response: gameServer,
    problems: [...changeProblems, 'NOT_FOUND', 'NAME_TAKEN', 'SERVER_ARCHIVED', 'SERVER_ADDRESS_TAKEN'],
  }),
  testConnection: endpoint({
    method: 'POST',
    path: '/api/servers/connection-test',
    summary: 'Test the connection to a console and report what is wrong',
    access: 'servers.write',
    body: connectionTest,
    response: connectionReport,
    problems: [...changeProblems, 'NOT_FOUND', 'SECRET_UNREADABLE', 'RATE_LIMITED'],
  }),
} as const;
