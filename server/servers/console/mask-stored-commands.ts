import { type Kysely, sql } from 'kysely';
import { gameOf, maskForAnyGame } from '#games/games.ts';
import { maskResult, maskRules } from '#games/mask-command.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { deleteInBatches } from '../../kernel/logs/delete-in-batches.ts';

type Source = Tables['command_masking']['source'];
/** Masks some of the rows after an id, in the order of their ids. @returns the last one's id; null: there is none */
type MaskNext = (trx: Kysely<Tables>, after: string | null) => Promise<string | null>;

const rowsAtOnce = 500;

const maskConsoleCommands: MaskNext = async (trx, after) => {
  const rows = await trx
    .selectFrom('console_commands')
    .innerJoin('game_servers', 'game_servers.id', 'server_id')
    .select(['console_commands.id', 'command', 'reply', 'game'])
    .where('console_commands.id', '>', after ?? '0')
    .orderBy('console_commands.id')
    .limit(rowsAtOnce)
    .execute();
  for (const { id, command, reply, game } of rows) {
    const { maskCommand, maskReply } = gameOf(game);
    if (maskCommand(command) === command) continue;
    await trx
      .updateTable('console_commands')
      .set({ command: maskCommand(command), reply: reply === null ? null : maskReply(command, reply) })
      .where('id', '=', id)
      .execute();
  }
  return rows.at(-1)?.id ?? null;
};

/** Those that are done; others are masked when they end. */
const maskAgentCommands: MaskNext = async (trx, after) => {
  const rows = await trx
    .selectFrom('agent_commands')
    .innerJoin('game_servers', 'game_servers.id', 'server_id')
    .select(['agent_commands.id', 'command', 'result', 'game', 'done_at'])
    .where('agent_commands.id', '>', after ?? '')
    .orderBy('agent_commands.id')
    .limit(rowsAtOnce)
    .execute();
  for (const { id, command, result, game, done_at } of rows) {
    if (done_at === null || maskForAnyGame(command) === command) continue;
    const adapter = gameOf(game);
    await trx
      .updateTable('agent_commands')
      .set({
        command: adapter.maskCommand(command),
        result: result && JSON.stringify(maskResult(adapter, command, result)),
      })
      .where('id', '=', id)
      .execute();
  }
  return rows.at(-1)?.id ?? null;
};

const sources: Readonly<Record<Source, MaskNext>> = {
  console_commands: maskConsoleCommands,
  agent_commands: maskAgentCommands,
};

/**
 * Masks the passwords in stored commands that were written by a release that knew fewer of them, once for each state of
 * the rules, in batches: a kill costs one batch, and of two processes one waits for the other.
 * @param signal ends the work after the current batch
 * @returns 0: it deletes nothing
 */
export const maskStoredCommands = async (
  db: Kysely<Tables>,
  log: Log,
  signal: AbortSignal,
): Promise<number> => {
  let left = 0;
  for (const [source, maskNext] of Object.entries(sources) as [Source, MaskNext][]) {
    let isDone = false;
    await deleteInBatches(signal, async () => {
      isDone = await maskBatch(db, source, maskNext);
      return { deleted: 0, isLast: isDone };
    });
    if (!isDone) left += 1;
  }
  if (left > 0) log.info({ left }, 'passwords in older console commands are masked at the next clean-up');
  return 0;
};

const maskBatch = (db: Kysely<Tables>, source: Source, maskNext: MaskNext): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await trx
      .insertInto('command_masking')
      .values({ source, rules: maskRules, after: null, is_done: false })
      .onConflict((conflict) => conflict.column('source').doNothing())
      .execute();
    const progress = await trx
      .selectFrom('command_masking')
      .selectAll()
      .where('source', '=', source)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const isCurrent = progress.rules === maskRules;
    if (isCurrent && progress.is_done) return true;
    const after = await maskNext(trx, isCurrent ? progress.after : null);
    await trx
      .updateTable('command_masking')
      .set({
        rules: maskRules,
        is_done: after === null,
        after: after ?? sql<string>`after`,
      })
      .where('source', '=', source)
      .execute();
    return after === null;
  });
