import type { Kysely, Selectable } from 'kysely';
import type { ConsoleEntry } from '#contracts/console.ts';
import { type CommandOutcome, type CommandResult, longestReply } from '#contracts/games.ts';
import { type Actor, actorReference } from '../access/actor.ts';
import type { Tables } from '../database/tables.ts';
import type { ConsoleCommandsTable } from './console.tables.ts';
import { outcomeInWords } from './outcome-in-words.ts';
import { storableText } from './storable-text.ts';

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
  readonly command: string;
  readonly runId: string;
  readonly actor: Actor;
}

/** The rows of a run, in the order of its servers: running, until `finishCommand`. */
export const insertCommands = async (
  trx: Kysely<Tables>,
  { serverIds, command, runId, actor }: NewCommands,
): Promise<ConsoleRow[]> => {
  const rows = await trx
    .insertInto('console_commands')
    .values(
      serverIds.map((server_id) => ({
        server_id,
        run_id: runId,
        actor: actorReference(actor),
        actor_name: actor.name,
        command,
      })),
    )
    .returningAll()
    .execute();
  const byServer = new Map(rows.map((row) => [row.server_id, row]));
  return serverIds.flatMap((id) => byServer.get(id) ?? []);
};

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
  duration_ms: Math.round(Math.max(0, result.durationMs)),
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

/** What a process that was killed left running: nobody knows how it ended. @returns how many there were */
export const settleLeftovers = async (db: Kysely<Tables>): Promise<number> => {
  const outcome: CommandOutcome = 'unknown';
  const { numUpdatedRows } = await db
    .updateTable('console_commands')
    .set({
      outcome,
      reply: 'Castellan was stopped before the answer came: the command may have been carried out.',
    })
    .where('outcome', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
};
