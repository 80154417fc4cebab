import { type Kysely, type Selectable, sql } from 'kysely';
import type { CommandOutcome, CommandResult } from '#contracts/games.ts';
import { gameOf, maskForAnyGame } from '#games/games.ts';
import { maskResult } from '#games/mask-command.ts';
import type { Tables } from '../database/tables.ts';
import type { AgentCommandsTable } from './agents.tables.ts';

export type CommandRow = Selectable<AgentCommandsTable> & { readonly expires_in_ms: number };

export interface NewCommandRow {
  readonly id: string;
  readonly serverId: string;
  readonly command: string;
  readonly timeoutMs: number;
  readonly expiresInMs: number;
  /** It goes out as soon as it is written down. */
  readonly isSent: boolean;
}

/** The statements about `agent_commands`. A result is written once; only `unknown` gives way to one that comes later. */
export interface CommandRows {
  /** Ends what expired unsent while nobody looked. @returns the rest of what waits, oldest first */
  loadWaiting(): Promise<CommandRow[]>;
  /** @param trx in which it is written down, where that is another's. @returns the row that is there already, else null */
  insert(row: NewCommandRow, trx?: Kysely<Tables>): Promise<CommandRow | null>;
  /** Null: there is no such command. */
  find(serverId: string, id: string): Promise<CommandRow | null>;
  /** Before the frames go out: what was sent must never look unsent. */
  markSent(ids: readonly string[]): Promise<void>;
  markAccepted(serverId: string, ids: readonly string[]): Promise<void>;
  /** @returns the result that is kept, this one or an earlier one; null: there is no such command */
  finish(serverId: string, id: string, result: CommandResult): Promise<CommandResult | null>;
  /** Those that are known, by id. */
  results(ids: readonly string[]): Promise<ReadonlyMap<string, CommandResult>>;
  remove(id: string): Promise<void>;
  /** What was sent is done, as `unknown`. @returns the ids */
  giveUpSent(serverId: string): Promise<string[]>;
}

const asRow = sql<number>`(extract(epoch from expires_at - now()) * 1000)::float8`.as('expires_in_ms');

const isUnknown = sql<boolean>`result ->> 'outcome' = ${'unknown' satisfies CommandOutcome}`;

/** What becomes of commands whose fate nobody can tell any more. */
export const unknownResult: CommandResult = {
  outcome: 'unknown',
  reply: null,
  truncated: false,
  sent: true,
  durationMs: 0,
};

/** Never sent, and never will be. */
export const unsentResult = (outcome: 'expired' | 'cancelled'): CommandResult => ({
  outcome,
  reply: null,
  truncated: false,
  sent: false,
  durationMs: 0,
});

export const createCommandRows = (db: Kysely<Tables>): CommandRows => ({
  async loadWaiting() {
    await endAndMask(db, (trx) =>
      trx
        .updateTable('agent_commands')
        .set({ done_at: sql<Date>`now()`, result: JSON.stringify(unsentResult('expired')) })
        .where('done_at', 'is', null)
        .where('sent_at', 'is', null)
        .where('expires_at', '<=', sql<Date>`now()`)
        .returning(['id', 'command', 'result'])
        .execute(),
    );
    return db
      .selectFrom('agent_commands')
      .selectAll()
      .select(asRow)
      .where('done_at', 'is', null)
      .orderBy('created_at')
      .orderBy('number')
      .execute();
  },

  async insert({ id, serverId, command, timeoutMs, expiresInMs, isSent }, trx = db) {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('agent_commands')
      .values({
        id,
        server_id: serverId,
        command,
        timeout_ms: timeoutMs,
        expires_at: sql<Date>`now() + ${expiresInMs}::float8 * interval '1 millisecond'`,
        sent_at: isSent ? sql<Date>`now()` : null,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) return null;
    return trx
      .selectFrom('agent_commands')
      .selectAll()
      .select(asRow)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  },

  async find(serverId, id) {
    const row = await db
      .selectFrom('agent_commands')
      .selectAll()
      .select(asRow)
      .where('id', '=', id)
      .where('server_id', '=', serverId)
      .executeTakeFirst();
    return row ?? null;
  },

  async markSent(ids) {
    await db
      .updateTable('agent_commands')
      .set({ sent_at: sql<Date>`now()` })
      .where('id', 'in', ids)
      .where('sent_at', 'is', null)
      .execute();
  },

  async markAccepted(serverId, ids) {
    await db
      .updateTable('agent_commands')
      .set({ accepted_at: sql<Date>`now()` })
      .where('id', 'in', ids)
      .where('server_id', '=', serverId)
      .where('accepted_at', 'is', null)
      .where('done_at', 'is', null)
      .execute();
  },

  async finish(serverId, id, result) {
    const done = await endAndMask(db, (trx) =>
      trx
        .updateTable('agent_commands')
        .set({ done_at: sql<Date>`now()`, result: JSON.stringify(result) })
        .where('id', '=', id)
        .where('server_id', '=', serverId)
        .where((row) => row.or([row('done_at', 'is', null), isUnknown]))
        .returning(['id', 'command', 'result'])
        .execute(),
    );
    if (done[0]) return done[0].result;
    const row = await db
      .selectFrom('agent_commands')
      .select('result')
      .where('id', '=', id)
      .where('server_id', '=', serverId)
      .executeTakeFirst();
    return row?.result ?? null;
  },

  async results(ids) {
    const rows = await db
      .selectFrom('agent_commands')
      .select(['id', 'result'])
      .where('id', '=', sql<string>`any (${ids}::text[])`)
      .execute();
    return new Map(rows.flatMap(({ id, result }) => (result ? [[id, result] as const] : [])));
  },

  async remove(id) {
    await db.deleteFrom('agent_commands').where('id', '=', id).where('done_at', 'is', null).execute();
  },

  giveUpSent: (serverId) => giveUpSent(db, serverId),
});

interface DoneCommand {
  readonly id: string;
  readonly command: string;
  readonly result: CommandResult | null;
}

/**
 * Nothing sends a command again that is done: its secrets go in the same transaction, as a repeat would not find its row.
 * @param db a transaction, or what begins one
 * @returns what is kept
 */
export const endAndMask = async (
  db: Kysely<Tables>,
  end: (db: Kysely<Tables>) => Promise<DoneCommand[]>,
): Promise<DoneCommand[]> => {
  if (!db.isTransaction) return db.transaction().execute((trx) => endAndMask(trx, end));
  const done = await end(db);
  const ids = done.filter(({ command }) => maskForAnyGame(command) !== command).map(({ id }) => id);
  if (ids.length === 0) return done;
  const masked = new Map<string, DoneCommand>();
  const rows = await db
    .selectFrom('agent_commands')
    .innerJoin('game_servers', 'game_servers.id', 'agent_commands.server_id')
    .select(['agent_commands.id', 'command', 'result', 'game'])
    .where('agent_commands.id', 'in', ids)
    .execute();
  for (const { id, command, result, game } of rows) {
    const adapter = gameOf(game);
    const kept = {
      id,
      command: adapter.maskCommand(command),
      result: result && maskResult(adapter, command, result),
    };
    masked.set(id, kept);
    await db
      .updateTable('agent_commands')
      .set({ command: kept.command, result: kept.result && JSON.stringify(kept.result) })
      .where('id', '=', id)
      .execute();
  }
  return done.map((row) => masked.get(row.id) ?? row);
};

/** What was sent to an agent that is gone, or has lost its memory, can have been carried out or not. */
export const giveUpSent = async (db: Kysely<Tables>, serverId: string): Promise<string[]> => {
  const given = await endAndMask(db, (trx) =>
    trx
      .updateTable('agent_commands')
      .set({ done_at: sql<Date>`now()`, result: JSON.stringify(unknownResult) })
      .where('server_id', '=', serverId)
      .where('done_at', 'is', null)
      .where('sent_at', 'is not', null)
      .returning(['id', 'command', 'result'])
      .execute(),
  );
  return given.map(({ id }) => id);
};
