import * as z from 'zod';
import { displayName, recordId } from './clusters.ts';
import { commandOutcomes, gameId, longestCommand } from './games.ts';
import { endpoint } from './http.ts';
import { pageOf, pageQuery } from './paging.ts';

/** A command that somebody gave to one server. */
export const consoleEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    serverId: z.string(),
    /** Who gave it. */
    actor: z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() }),
    command: z.string(),
    /** Null while it runs. */
    outcome: z.enum(commandOutcomes).nullable(),
    /** The game's answer; why there is none, otherwise. */
    reply: z.string().nullable(),
    truncated: z.boolean(),
    durationMs: z.int().nullable(),
    via: z.enum(['agent', 'direct']).nullable(),
    /** Only where the result came late: what the outcome was said to be until then. */
    revised: z.object({ from: z.enum(commandOutcomes), at: z.iso.datetime() }).optional(),
    /** The same for all servers that it was given to at once. */
    runId: z.string(),
  })
  .meta({ id: 'ConsoleEntry' });
export type ConsoleEntry = z.infer<typeof consoleEntry>;

export const consoleCommand = z
  .string()
  .trim()
  .min(1)
  .max(longestCommand)
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u, 'must be one line without control characters');

const run = z.strictObject({
  serverIds: z
    .array(recordId)
    .min(1)
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'must name each server once' }),
  command: consoleCommand,
  /** For each game's answer. */
  timeoutMs: z.int().min(500).max(60_000).default(10_000),
});
export type ConsoleRun = z.output<typeof run>;

export const savedCommand = z
  .object({
    id: z.string(),
    name: z.string(),
    command: z.string(),
    /** Null: for every game. */
    game: gameId.nullable(),
    version: z.int(),
  })
  .meta({ id: 'SavedCommand' });
export type SavedCommand = z.infer<typeof savedCommand>;

const newSavedCommand = z.strictObject({
  name: displayName,
  command: consoleCommand,
  game: gameId.nullable().default(null),
});
export type NewSavedCommand = z.output<typeof newSavedCommand>;
const savedCommandChange = z.strictObject({
  /** The version that the change was made from. */
  version: z.int(),
  name: displayName.optional(),
  command: consoleCommand.optional(),
  game: gameId.nullable().optional(),
});
export type SavedCommandChange = z.output<typeof savedCommandChange>;

const searched = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must have no control characters');

const historyFilter = z.object({
  serverId: recordId.optional(),
  outcome: z.enum(commandOutcomes).optional(),
  /** A kind of actor, or one of its kind: `admin:<id>`. */
  actor: searched.optional(),
  /** Stands somewhere in the command. */
  text: searched.optional(),
});
export type HistoryFilter = z.output<typeof historyFilter>;

/** A line of a console or log that the server's Game Agent has kept. */
export const keptLine = z
  .object({
    /** Stays the same for as long as the line is kept. */
    id: z.string(),
    /** By the clock of the game's machine. */
    at: z.iso.datetime(),
    text: z.string(),
  })
  .meta({ id: 'KeptConsoleLine' });
export type KeptLine = z.infer<typeof keptLine>;

const ofCommand = z.object({ id: recordId });
const reading = ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'] as const;
const changing = [...reading, 'CROSS_ORIGIN'] as const;

export const consoleHttp = {
  run: endpoint({
    method: 'POST',
    path: '/api/console/run',
    summary: 'Give a command to one or several servers, and wait for their answers',
    access: 'console.write',
    body: run,
    /** One entry for each server, in the order in which they were named. */
    response: z.object({ entries: z.array(consoleEntry) }),
    problems: [...changing, 'NOT_FOUND', 'SERVER_ARCHIVED', 'RATE_LIMITED'],
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/console/history',
    summary: 'Commands that were given, the newest first',
    access: 'console.read',
    query: historyFilter.extend(pageQuery.shape),
    response: pageOf(consoleEntry),
    problems: [...reading, 'INVALID_REQUEST'],
  }),
  lines: endpoint({
    method: 'GET',
    path: '/api/servers/:serverId/console/history',
    summary: "What the game wrote in the last days, as the server's Game Agent keeps it; newest first",
    access: 'console.read',
    params: z.object({ serverId: recordId }),
    /** A page may have fewer lines than there are: a search is bounded in time. */
    query: pageQuery.extend({ search: searched.optional() }),
    response: pageOf(keptLine),
    problems: [...reading, 'NOT_FOUND', 'INVALID_REQUEST', 'CONSOLE_HISTORY_AWAY', 'SHUTTING_DOWN'],
  }),
  savedCommands: endpoint({
    method: 'GET',
    path: '/api/console/saved-commands',
    summary: 'Saved commands, by name',
    access: 'console.read',
    response: z.object({ rows: z.array(savedCommand) }),
    problems: reading,
  }),
  saveCommand: endpoint({
    method: 'POST',
    path: '/api/console/saved-commands',
    summary: 'Save a command for all who use the console',
    access: 'console.write',
    body: newSavedCommand,
    response: savedCommand,
    problems: [...changing, 'NAME_TAKEN'],
  }),
  changeSavedCommand: endpoint({
    method: 'PATCH',
    path: '/api/console/saved-commands/:id',
    summary: 'Change a saved command',
    access: 'console.write',
    params: ofCommand,
    body: savedCommandChange,
    response: savedCommand,
    problems: [...changing, 'NOT_FOUND', 'NAME_TAKEN', 'CONFLICT'],
  }),
  removeSavedCommand: endpoint({
    method: 'DELETE',
    path: '/api/console/saved-commands/:id',
    summary: 'Remove a saved command',
    access: 'console.write',
    params: ofCommand,
    response: z.object({}),
    problems: [...changing, 'NOT_FOUND'],
  }),
} as const;
