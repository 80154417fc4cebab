import * as z from 'zod';
import { changeProblems, endpoint, readProblems } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { displayName, recordId } from './clusters.ts';
import { commandOutcomes, gameId, longestCommand } from './games.ts';

/** The severity of a log line, as the game states it; most lines have none. */
const lineSeverities = ['warn', 'error'] as const;
export type LineSeverity = (typeof lineSeverities)[number];
/** What a game's adapter reads from a log line. */
export const lineTraits = {
  severity: z.enum(lineSeverities).optional(),
  /** This many characters at the start are the game's own timestamp, and a level without meaning. */
  stamp: z.int().positive().optional(),
} as const;
const traits = z.object(lineTraits);
export type LineTraits = z.infer<typeof traits>;

/** A command given to one server. */
export const consoleEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    serverId: z.string(),
    /** The person or program that gave it. */
    actor: z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() }),
    command: z.string(),
    /** Null while it runs. */
    outcome: z.enum(commandOutcomes).nullable(),
    /** The game's answer, or why there is none. */
    reply: z.string().nullable(),
    /** Set only if the answer is an error of the game: the command was not carried out. */
    gameError: z.literal(true).optional(),
    truncated: z.boolean(),
    durationMs: z.int().nullable(),
    via: z.enum(['agent', 'direct']).nullable(),
    /** Set only if the result arrived late: the outcome reported until then. */
    revised: z.object({ from: z.enum(commandOutcomes), at: z.iso.datetime() }).optional(),
    /** The same for all servers that got the command together. */
    runId: z.string(),
    /** Set only if the store sent it; the actor is then who placed the order. */
    sale: z
      .object({
        orderId: z.string(),
        productId: z.string(),
        /** Who approved the command in the product; null: it is older than approvals. */
        approvedBy: z.string().nullable(),
      })
      .optional(),
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
  /** The limit for each game's answer. */
  timeoutMs: z.int().min(500).max(60_000).default(10_000),
});
export type ConsoleRun = z.output<typeof run>;

const savedCommand = z
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
  /** The version that the change is based on. */
  version: rowVersion,
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
  /** A kind of actor, or one actor: `admin:<id>`. */
  actor: searched.optional(),
  /** Occurs anywhere in the command. */
  text: searched.optional(),
});
export type HistoryFilter = z.output<typeof historyFilter>;

/** A console or log line, as kept by the server's Game Agent or by the API that heard it directly. */
const keptLine = z
  .object({
    /** Unchanged as long as the line is kept. */
    id: z.string(),
    /** By the clock of the machine that keeps it. */
    at: z.iso.datetime(),
    text: z.string(),
    ...lineTraits,
  })
  .meta({ id: 'KeptConsoleLine' });
export type KeptLine = z.infer<typeof keptLine>;

const ofCommand = z.object({ id: recordId });

export const consoleHttp = {
  run: endpoint({
    method: 'POST',
    path: '/api/console/run',
    summary: 'Run a command on one or more servers and return their replies',
    access: 'console.write',
    body: run,
    /** One entry per server, in the order of the request. */
    response: z.object({ entries: z.array(consoleEntry) }),
    problems: [...changeProblems, 'NOT_FOUND', 'SERVER_ARCHIVED', 'RATE_LIMITED'],
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/console/history',
    summary: 'List the commands that were run, newest first',
    access: 'console.read',
    query: historyFilter.extend(pageQuery.shape),
    response: pageOf(consoleEntry),
    problems: [...readProblems, 'INVALID_REQUEST'],
  }),
  lines: endpoint({
    method: 'GET',
    path: '/api/servers/:serverId/console/history',
    summary: "List the game's output of the last days, as kept by its Game Agent or the API, newest first",
    access: 'console.read',
    params: z.object({ serverId: recordId }),
    /** A page may have fewer lines than exist: a search is limited in time. */
    query: pageQuery.extend({ search: searched.optional() }),
    response: pageOf(keptLine),
    problems: [...readProblems, 'NOT_FOUND', 'INVALID_REQUEST', 'CONSOLE_HISTORY_AWAY', 'SHUTTING_DOWN'],
  }),
  savedCommands: endpoint({
    method: 'GET',
    path: '/api/console/saved-commands',
    summary: 'List saved commands, by name',
    access: 'console.read',
    response: z.object({ rows: z.array(savedCommand) }),
  }),
  saveCommand: endpoint({
    method: 'POST',
    path: '/api/console/saved-commands',
    summary: 'Save a command for all users of the console',
    access: 'console.write',
    body: newSavedCommand,
    response: savedCommand,
    problems: [...changeProblems, 'NAME_TAKEN'],
  }),
  changeSavedCommand: endpoint({
    method: 'PATCH',
    path: '/api/console/saved-commands/:id',
    summary: 'Change a saved command',
    access: 'console.write',
    params: ofCommand,
    body: savedCommandChange,
    response: savedCommand,
    problems: [...changeProblems, 'NOT_FOUND', 'NAME_TAKEN', 'CONFLICT'],
  }),
  removeSavedCommand: endpoint({
    method: 'DELETE',
    path: '/api/console/saved-commands/:id',
    summary: 'Delete a saved command',
    access: 'console.write',
    params: ofCommand,
    response: z.object({}),
  }),
} as const;
