import { type Kysely, type Selectable, sql } from 'kysely';
import { type CommandOutcome, type CommandResult, withoutReply } from '#contracts/servers/games.ts';
import { gameOf, maskForAnyGame } from '#games/games.ts';
import { mask, maskResult } from '#games/mask-command.ts';
import { createGroupCommit } from '#runtime/database/group-commit.ts';
import { Secret } from '#runtime/secret.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { batchRows, deleteInBatches } from '../../kernel/logs/delete-in-batches.ts';
import { sealedColumn } from '../../kernel/secrets/sealed-column.ts';
import type { Secrets } from '../../kernel/secrets/secrets.ts';

export const agentCommandColumn = sealedColumn({
  table: 'agent_commands',
  key: ['id'],
  column: 'sealed',
  describe: ([id]) => `The command ${id} for a Game Agent`,
});

export type CommandRow = Selectable<Tables['agent_commands']> & { readonly expires_in_ms: number };

interface NewCommandRow {
  readonly id: string;
  readonly serverId: string;
  readonly command: string;
  readonly timeoutMs: number;
  readonly expiresInMs: number;
  /** It goes out as soon as it is written. */
  readonly isSent: boolean;
}

type Sealing = Pick<Secrets, 'seal' | 'open'>;

/**
 * The statements about `agent_commands`. A result is written once; only `unknown` is replaced by a later one. A command
 * with a secret is sealed until it is done, since what a row once was stays in the files that backups copy.
 */
export type CommandRows = ReturnType<typeof createCommandRows>;

const asRow = sql<number>`(extract(epoch from expires_at - now()) * 1000)::float8`.as('expires_in_ms');

/** How many results one transaction writes. */
const mostFinished = 100;

export const createCommandRows = (db: Kysely<Tables>, secrets: Sealing) => {
  const opened = (row: CommandRow): CommandRow => ({ ...row, command: unseal(secrets, row) ?? row.command });
  const finish = createGroupCommit<FinishedCommand, CommandResult | null>({
    commit: (finished) => finishAll(db, secrets, finished),
    keyOf: ({ id }) => id,
    mostAtOnce: mostFinished,
  });
  /** No key opens them any more, so they cannot be sent. */
  const endUnreadable = (ids: readonly string[]) =>
    endAndMask(db, secrets, (trx) =>
      trx
        .updateTable('agent_commands')
        .set({
          done_at: sql<Date>`now()`,
          result: sql<string>`case when sent_at is null then ${JSON.stringify(withoutReply('expired'))}::jsonb
            else ${JSON.stringify(withoutReply('unknown', true))}::jsonb end`,
        })
        .where('id', '=', sql<string>`any (${ids}::text[])`)
        .where('done_at', 'is', null)
        .returning(doneColumns)
        .execute(),
    );
  return {
    /** Ends what expired unsent while no one looked. @returns the rest of what waits, oldest first */
    async loadWaiting(): Promise<CommandRow[]> {
      await endAndMask(db, secrets, (trx) =>
        trx
          .updateTable('agent_commands')
          .set({ done_at: sql<Date>`now()`, result: JSON.stringify(withoutReply('expired')) })
          .where('done_at', 'is', null)
          .where('sent_at', 'is', null)
          .where('expires_at', '<=', sql<Date>`now()`)
          .returning(doneColumns)
          .execute(),
      );
      const rows = await db
        .selectFrom('agent_commands')
        .selectAll()
        .select(asRow)
        .where('done_at', 'is', null)
        .orderBy('created_at')
        .orderBy('number')
        .execute();
      const unreadable = rows.filter((row) => unseal(secrets, row) === null);
      if (unreadable.length > 0) await endUnreadable(unreadable.map(({ id }) => id));
      return rows.filter((row) => !unreadable.includes(row)).map(opened);
    },

    /** @returns the existing row, otherwise null */
    async insert(row: NewCommandRow): Promise<CommandRow | null> {
      const inserted = await insertNew(db, secrets, [row]);
      if (inserted.length === 1) return null;
      return opened(
        await db
          .selectFrom('agent_commands')
          .selectAll()
          .select(asRow)
          .where('id', '=', row.id)
          .executeTakeFirstOrThrow(),
      );
    },

    /** In the caller's transaction. @returns the ids of those that are written; the others' ids were used before */
    insertAll: (trx: Kysely<Tables>, rows: readonly NewCommandRow[]): Promise<readonly string[]> =>
      insertNew(trx, secrets, rows),

    /** Null: there is no such command. */
    async find(serverId: string, id: string): Promise<CommandRow | null> {
      const row = await db
        .selectFrom('agent_commands')
        .selectAll()
        .select(asRow)
        .where('id', '=', id)
        .where('server_id', '=', serverId)
        .executeTakeFirst();
      return row ? opened(row) : null;
    },

    /** Before the frames go out: what was sent must never look unsent. */
    async markSent(ids: readonly string[]): Promise<void> {
      await db
        .updateTable('agent_commands')
        .set({ sent_at: sql<Date>`now()` })
        .where('id', 'in', ids)
        .where('sent_at', 'is', null)
        .execute();
    },

    async markAccepted(ids: readonly string[]): Promise<void> {
      await db
        .updateTable('agent_commands')
        .set({ accepted_at: sql<Date>`now()` })
        .where('id', '=', sql<string>`any (${ids}::text[])`)
        .where('accepted_at', 'is', null)
        .where('done_at', 'is', null)
        .execute();
    },

    /** @returns the result that is kept, this one or an earlier one; null: there is no such command */
    finish: (serverId: string, id: string, result: CommandResult): Promise<CommandResult | null> =>
      finish({ serverId, id, result }),

    /** Ends a command that no process has sent. @returns false: one has, or it has ended, or there is none */
    async finishUnsent(id: string, result: CommandResult): Promise<boolean> {
      const ended = await endAndMask(db, secrets, (trx) =>
        trx
          .updateTable('agent_commands')
          .set({ done_at: sql<Date>`now()`, result: JSON.stringify(result) })
          .where('id', '=', id)
          .where('done_at', 'is', null)
          .where('sent_at', 'is', null)
          .returning(doneColumns)
          .execute(),
      );
      return ended.length > 0;
    },

    /** Those that are known, by id. */
    async results(ids: readonly string[]): Promise<ReadonlyMap<string, CommandResult>> {
      const rows = await db
        .selectFrom('agent_commands')
        .select(['id', 'result'])
        .where('id', '=', sql<string>`any (${ids}::text[])`)
        .execute();
      return new Map(rows.flatMap(({ id, result }) => (result ? [[id, result] as const] : [])));
    },

    /** If no process but this one may have sent it. @param isMarked this one has marked it as sent, and did not send it */
    async remove(id: string, isMarked: boolean): Promise<void> {
      await db
        .deleteFrom('agent_commands')
        .where('id', '=', id)
        .where('done_at', 'is', null)
        .$if(!isMarked, (query) => query.where('sent_at', 'is', null))
        .execute();
    },

    /** Ends sent commands as `unknown`. @returns the ids */
    giveUpSent: (serverId: string): Promise<string[]> => giveUpSent(db, secrets, serverId),
  };
};

/** @returns null: no key opens it */
const unseal = (secrets: Sealing, row: Pick<CommandRow, 'id' | 'command' | 'sealed'>): string | null => {
  if (row.sealed === null) return row.command;
  const opened = secrets.open(agentCommandColumn, [row.id], row.sealed);
  return opened.outcome === 'open' ? opened.secret.reveal() : null;
};

const insertNew = async (
  db: Kysely<Tables>,
  secrets: Sealing,
  rows: readonly NewCommandRow[],
): Promise<readonly string[]> => {
  if (rows.length === 0) return [];
  const inserted = await db
    .insertInto('agent_commands')
    .values(
      rows.map(({ id, serverId, command, timeoutMs, expiresInMs, isSent }) => ({
        id,
        server_id: serverId,
        ...(maskForAnyGame(command) === command
          ? { command }
          : { command: mask, sealed: secrets.seal(agentCommandColumn, [id], new Secret(command)) }),
        timeout_ms: timeoutMs,
        expires_at: sql<Date>`now() + ${expiresInMs}::float8 * interval '1 millisecond'`,
        sent_at: isSent ? sql<Date>`now()` : null,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute();
  return inserted.map(({ id }) => id);
};

interface FinishedCommand {
  readonly serverId: string;
  readonly id: string;
  readonly result: CommandResult;
}

const finishAll = async (
  db: Kysely<Tables>,
  secrets: Sealing,
  finished: readonly FinishedCommand[],
): Promise<readonly (CommandResult | null)[]> => {
  const ids = finished.map(({ id }) => id);
  const serverIds = finished.map(({ serverId }) => serverId);
  const masked = await maskSealed(db, secrets, finished);
  const results = masked.map((result) => JSON.stringify(result));
  const done = await endAndMask(db, secrets, async (trx) => {
    const { rows } = await sql<DoneCommand>`
      update agent_commands as command set done_at = now(), result = finished.result::jsonb
      from unnest(${ids}::text[], ${serverIds}::text[], ${results}::text[]) as finished (id, server_id, result)
      where command.id = finished.id and command.server_id = finished.server_id
        and (command.done_at is null or command.result ->> 'outcome' = ${'unknown' satisfies CommandOutcome})
      returning command.id, command.command, command.sealed, command.result`.execute(trx);
    return rows;
  });
  const kept = new Map(done.map(({ id, result }) => [id, result]));
  const others = finished.filter(({ id }) => !kept.has(id));
  if (others.length > 0) {
    const rows = await db
      .selectFrom('agent_commands')
      .select(['id', 'server_id', 'result'])
      .where('id', '=', sql<string>`any (${others.map(({ id }) => id)}::text[])`)
      .execute();
    for (const { id, serverId } of others)
      kept.set(id, rows.find((row) => row.id === id && row.server_id === serverId)?.result ?? null);
  }
  return ids.map((id) => kept.get(id) ?? null);
};

/** The results as they may be written, before the first of them is: a reply may repeat a password. */
const maskSealed = async (
  db: Kysely<Tables>,
  secrets: Sealing,
  finished: readonly FinishedCommand[],
): Promise<CommandResult[]> => {
  const rows = await db
    .selectFrom('agent_commands')
    .innerJoin('game_servers', 'game_servers.id', 'agent_commands.server_id')
    .select(['agent_commands.id', 'command', 'sealed', 'game'])
    .where('agent_commands.id', '=', sql<string>`any (${finished.map(({ id }) => id)}::text[])`)
    .where('sealed', 'is not', null)
    .execute();
  const sealed = new Map(rows.map((row) => [row.id, row]));
  return finished.map(({ id, result }) => {
    const row = sealed.get(id);
    return row ? maskResult(gameOf(row.game), unseal(secrets, row) ?? row.command, result) : result;
  });
};

const doneColumns = ['id', 'command', 'sealed', 'result'] as const;
interface DoneCommand {
  readonly id: string;
  readonly command: string;
  readonly sealed: string | null;
  readonly result: CommandResult | null;
}

/**
 * Nothing sends a command again that is done: its secrets are masked in the same transaction, since a repeat would not
 * find its row.
 * @param db a transaction, or what begins one
 * @returns what is kept
 */
const endAndMask = async (
  db: Kysely<Tables>,
  secrets: Sealing,
  end: (db: Kysely<Tables>) => Promise<DoneCommand[]>,
): Promise<DoneCommand[]> => {
  if (!db.isTransaction) return db.transaction().execute((trx) => endAndMask(trx, secrets, end));
  const done = await end(db);
  const ids = done
    .filter(({ command, sealed }) => sealed !== null || maskForAnyGame(command) !== command)
    .map(({ id }) => id);
  if (ids.length === 0) return done;
  const masked = new Map<string, DoneCommand>();
  const rows = await db
    .selectFrom('agent_commands')
    .innerJoin('game_servers', 'game_servers.id', 'agent_commands.server_id')
    .select(['agent_commands.id', 'command', 'sealed', 'result', 'game'])
    .where('agent_commands.id', 'in', ids)
    .execute();
  for (const { game, result, ...row } of rows) {
    const { id } = row;
    const adapter = gameOf(game);
    const command = unseal(secrets, row) ?? row.command;
    const kept = {
      id,
      sealed: null,
      command: adapter.maskCommand(command),
      result: result && maskResult(adapter, command, result),
    };
    masked.set(id, kept);
    await db
      .updateTable('agent_commands')
      .set({ command: kept.command, sealed: null, result: kept.result && JSON.stringify(kept.result) })
      .where('id', '=', id)
      .execute();
  }
  return done.map((row) => masked.get(row.id) ?? row);
};

/** A command that was sent to an agent that is gone, or has lost its memory, may or may not have been carried out. */
export const giveUpSent = async (
  db: Kysely<Tables>,
  secrets: Sealing,
  serverId: string,
): Promise<string[]> => {
  const given = await endAndMask(db, secrets, (trx) =>
    trx
      .updateTable('agent_commands')
      .set({ done_at: sql<Date>`now()`, result: JSON.stringify(withoutReply('unknown', true)) })
      .where('server_id', '=', serverId)
      .where('done_at', 'is', null)
      .where('sent_at', 'is not', null)
      .returning(doneColumns)
      .execute(),
  );
  return given.map(({ id }) => id);
};

const keptDays = 7;

/**
 * Deletes commands whose result is older than a week, in batches. A command that was sent and got none for as long
 * after its expiry is given up as `unknown` first: its agent does not come back.
 * @param signal ends the work after the current batch
 * @returns how many were deleted
 */
export const deleteOldAgentCommands = async (
  db: Kysely<Tables>,
  secrets: Sealing,
  signal: AbortSignal,
): Promise<number> => {
  const before = sql<Date>`castellan_proven_now() - make_interval(days => ${keptDays})`;
  await endAndMask(db, secrets, (trx) =>
    trx
      .updateTable('agent_commands')
      .set({ done_at: sql<Date>`now()`, result: JSON.stringify(withoutReply('unknown', true)) })
      .where('done_at', 'is', null)
      .where('expires_at', '<', before)
      .returning(doneColumns)
      .execute(),
  );
  return deleteInBatches(signal, async () => {
    const { numDeletedRows } = await db
      .deleteFrom('agent_commands')
      .where('id', 'in', (query) =>
        query.selectFrom('agent_commands').select('id').where('done_at', '<', before).limit(batchRows),
      )
      .executeTakeFirstOrThrow();
    return { deleted: Number(numDeletedRows), isLast: numDeletedRows < batchRows };
  });
};
