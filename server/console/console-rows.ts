import { type Kysely, type Selectable, sql } from 'kysely';
import type { ConsoleEntry } from '#contracts/console.ts';
import { type CommandOutcome, type CommandResult, longestReply } from '#contracts/games.ts';
import { type Actor, actorReference } from '../access/actor.ts';
import { storableText } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import type { ConsoleCommandsTable } from './console.tables.ts';
import { outcomeInWords } from './outcome-in-words.ts';

export type ConsoleRow = Selectable<ConsoleCommandsTable>;

export const toEntry = (row: ConsoleRow): ConsoleEntry => {
  const colon = row.actor.indexOf(':');
  return {
    id: row.id,
    at: row.at.toISOString(),
    serverId: row.server_id,
    actor: { kind: row.actor.slice(0, colon), id: row.actor.slice(colon + 1), name: row.actor_name },
    command: row.command,
    outcome: row.outcome,
    reply: row.reply,
    truncated: row.truncated,
    durationMs: row.duration_ms,
    via: row.via,
    runId: row.run_id,
  };
};

export interface NewCommands {
  readonly serverIds: readonly string[];
  /** As it may be kept, by server. */
  readonly kept: ReadonlyMap<string, string>;
  readonly runId: string;
  readonly actor: Actor;
}

/** The rows of a run, in the order of its servers: running, until `finishCommand`. */
export const insertCommands = async (
  trx: Kysely<Tables>,
  { serverIds, kept, runId, actor }: NewCommands,
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

/** What the column holds; an agent says its duration itself, and may say anything. */
const longestDurationMs = 2 ** 31 - 1;

/** How a command ended, as it is kept and shown. */
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

export const finishCommand = async (db: Kysely<Tables>, row: ConsoleRow): Promise<void> => {
  const { id, outcome, reply, truncated, duration_ms, via } = row;
  await db
    .updateTable('console_commands')
    .set({ outcome, reply, truncated, duration_ms, via })
    .where('id', '=', id)
    .execute();
};

/**
 * What a process that was killed left running: nobody knows how it ended.
 * @param own what this process has given itself, and still waits for
 * @returns how many there were
 */
export const settleLeftovers = async (db: Kysely<Tables>, own: Iterable<string>): Promise<number> => {
  const outcome: CommandOutcome = 'unknown';
  const { numUpdatedRows } = await db
    .updateTable('console_commands')
    .set({
      outcome,
      reply: 'Castellan was stopped before the answer came: the command may have been carried out.',
    })
    .where('outcome', 'is', null)
    .where(sql<boolean>`id <> all (${[...own]}::bigint[])`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
};
