import { type Kysely, type Selectable, sql } from 'kysely';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { ConsoleEntry } from '#contracts/servers/console.ts';
import {
  type CommandOutcome,
  type CommandResult,
  type GameId,
  longestReply,
} from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { type Actor, actorReference } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';

const words: Readonly<Record<CommandOutcome, string>> = {
  answered: '',
  timeout: 'The game did not answer in time.',
  'connection refused': 'Nothing listens at the address of the console.',
  'authentication failed': 'The game refused the password.',
  'name not found': 'The host name is not known.',
  unreachable: 'There is no way to the game.',
  'wrong protocol': 'What answers at this address is not the console of this game.',
  'connection lost': 'The connection ended before the answer came.',
  'not ready': 'The game takes no commands yet: it may still be starting.',
  cancelled: 'It was cancelled.',
  expired: 'It waited too long and was not sent.',
  'agent away': 'The Game Agent of this server is not connected.',
  'invalid command':
    'It is longer than this game takes, more than one line, or not a command of this game. It was not sent.',
  unknown: 'How it ended is not known.',
};

/** Why there is no reply, and whether the command may have been carried out anyway. */
const outcomeInWords = (
  { outcome, sent }: Pick<CommandResult, 'outcome' | 'sent'>,
  detail: string | null,
): string => {
  const why = detail ?? words[outcome];
  return sent ? `${why} The command may have been carried out.` : why;
};

export type ConsoleRow = Selectable<Tables['console_commands']>;

export const toEntry = (row: ConsoleRow, game: GameId): ConsoleEntry => {
  const colon = row.actor.indexOf(':');
  const isGameError = row.outcome === 'answered' && gameOf(game).isErrorReply(row.reply ?? '');
  return {
    id: row.id,
    at: row.at.toISOString(),
    serverId: row.server_id,
    actor: { kind: row.actor.slice(0, colon), id: row.actor.slice(colon + 1), name: row.actor_name },
    command: row.command,
    outcome: row.outcome,
    reply: row.reply,
    ...(isGameError && { gameError: true }),
    truncated: row.truncated,
    durationMs: row.duration_ms,
    via: row.via,
    runId: row.run_id,
    ...(row.order_id !== null &&
      row.product_id !== null && {
        sale: {
          orderId: row.order_id,
          productId: row.product_id,
          approvedBy: row.approved_name,
        },
      }),
    ...(row.revised_from &&
      row.revised_at && { revised: { from: row.revised_from, at: row.revised_at.toISOString() } }),
  };
};

/** The rows of a run, in the order of its servers: they are running until `finishCommand`. */
export const insertCommands = async (
  trx: Kysely<Tables>,
  {
    serverIds,
    kept,
    runId,
    actor,
  }: {
    readonly serverIds: readonly string[];
    /** The command in the form that may be stored, by server. */
    readonly kept: ReadonlyMap<string, string>;
    readonly runId: string;
    readonly actor: Actor;
  },
): Promise<ConsoleRow[]> => {
  const rows = await trx
    .insertInto('console_commands')
    .values(
      serverIds.map((server_id) => ({
        server_id,
        run_id: runId,
        actor: actorReference(actor),
        actor_name: actor.name,
        command: kept.get(server_id) ?? '',
      })),
    )
    .returningAll()
    .execute();
  const byServer = new Map(rows.map((row) => [row.server_id, row]));
  return serverIds.flatMap((id) => byServer.get(id) ?? []);
};

/** The limit of the column; an agent reports its duration itself, and may report anything. */
const longestDurationMs = 2 ** 31 - 1;

/** How a command ended, in the form that is stored and shown. */
export const endedRow = (
  row: ConsoleRow,
  result: CommandResult,
  via: ConsoleRow['via'],
  detail: string | null,
): ConsoleRow => ({
  ...row,
  outcome: result.outcome,
  reply: storableText(result.reply ?? outcomeInWords(result, detail), longestReply),
  truncated: result.truncated || (result.reply?.length ?? 0) > longestReply,
  duration_ms: Math.round(Math.min(Math.max(0, result.durationMs), longestDurationMs)),
  via,
});

/** Replaces a secret that is part of a command, such as a code that is whispered. */
const secretMask = '[code]';
export const hideSecret = (secret: string | undefined, text: string): string =>
  secret === undefined ? text : text.replaceAll(secret, secretMask);

/** For a result that comes when no one knows the command's secret any more: its reply may repeat it. */
const lateRow = (row: ConsoleRow, result: CommandResult): ConsoleRow => {
  const isHidden = row.command.includes(secretMask) && result.reply !== null;
  return endedRow(row, isHidden ? { ...result, reply: secretMask } : result, 'agent', null);
};

/** Outcomes that Castellan gives a sent command when no result comes. */
const provisional: readonly CommandOutcome[] = ['unknown', 'timeout', 'cancelled'];

/** Stores an outcome; one that it replaces is kept beside it. @returns the stored row, if that changed anything */
const storeOutcome = (
  db: Kysely<Tables>,
  { id, outcome, reply, truncated, duration_ms, via }: ConsoleRow,
  replaces: readonly CommandOutcome[],
): Promise<ConsoleRow | undefined> =>
  db
    .updateTable('console_commands')
    .set({ outcome, reply, truncated, duration_ms, via })
    .set({
      revised_from: sql<CommandOutcome | null>`outcome`,
      revised_at: sql<Date | null>`case when outcome is not null then now() end`,
    })
    .where('id', '=', id)
    .where((open) =>
      open.or([
        open('outcome', 'is', null),
        open('outcome', '=', sql<CommandOutcome>`any (${replaces}::text[])`),
      ]),
    )
    .where('outcome', 'is distinct from', outcome)
    .returningAll()
    .executeTakeFirst();

/**
 * Stores how a command ended. Another process may have given it up meanwhile: a result replaces that.
 * @returns the stored row
 */
export const finishCommand = async (db: Kysely<Tables>, row: ConsoleRow): Promise<ConsoleRow> => {
  const isProvisional = row.outcome === null || provisional.includes(row.outcome);
  const written = await storeOutcome(db, row, isProvisional ? [] : provisional);
  if (written) return written;
  const other = await db
    .selectFrom('console_commands')
    .selectAll()
    .where('id', '=', row.id)
    .executeTakeFirst();
  return other ?? row;
};

/**
 * Replaces the history's outcome of a command that was given up by its result, and keeps the old one.
 * @returns the row, when that changed anything
 */
export const reviseCommand = async (
  db: Kysely<Tables>,
  serverId: string,
  id: string,
  result: CommandResult,
): Promise<ConsoleRow | undefined> => {
  const row = await db
    .selectFrom('console_commands')
    .selectAll()
    .where('id', '=', id)
    .where('server_id', '=', serverId)
    .executeTakeFirst();
  return row && storeOutcome(db, lateRow(row, result), provisional);
};

export const agentCommandId = (rowId: string): string => `console-${rowId}`;
/** Null: it is not a command of the console. */
export const rowIdOf = (commandId: string): string | null =>
  /^console-(\d{1,18})$/.exec(commandId)?.[1] ?? null;

/** Commands without an outcome; the store ends what it sends itself. */
export const readRunning = (db: Kysely<Tables>): Promise<ConsoleRow[]> =>
  db
    .selectFrom('console_commands')
    .selectAll()
    .where('outcome', 'is', null)
    .where('order_id', 'is', null)
    .execute();

/**
 * Ends commands that an ended process left running.
 * @param results what Game Agents know of them
 * @returns of how many no one knows how they ended
 */
export const settleLeftovers = async (
  db: Kysely<Tables>,
  left: readonly ConsoleRow[],
  results: ReadonlyMap<string, CommandResult>,
): Promise<number> => {
  const lost: string[] = [];
  for (const row of left) {
    const result = results.get(agentCommandId(row.id));
    if (result) await finishCommand(db, lateRow(row, result));
    else lost.push(row.id);
  }
  const outcome: CommandOutcome = 'unknown';
  const { numUpdatedRows } = await db
    .updateTable('console_commands')
    .set({
      outcome,
      reply: 'Castellan was stopped before the answer came: the command may have been carried out.',
    })
    .where('outcome', 'is', null)
    .where('id', '=', sql<string>`any (${lost}::bigint[])`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
};
