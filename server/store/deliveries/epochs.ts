import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import * as z from 'zod';
import { reasons } from '#contracts/kernel/reasons.ts';
import { gameIds } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { readJsonFile } from '#runtime/read-json.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { lockDelivery } from './delivery-rows.ts';
import { isForGame, renewRestoredRoles } from './role-deliveries.ts';
import { toDesk } from './settle-delivery.ts';

/** The databases this data folder last ran with: one, or two during a change. */
const incarnations = z.object({ incarnations: z.array(z.guid()).min(1).max(2) });

const readKnown = async (file: string): Promise<readonly string[]> =>
  // If missing or damaged, the database counts as restored: deliveries that may have been sent are not sent again.
  (await readJsonFile(incarnations, file))?.incarnations ?? [];

/**
 * Detects a restored database: data folder and database share a name that changes at each start and after deliveries
 * were sent. A restored database begins a new epoch, since deliveries may have been sent that it does not know.
 * @returns whether the database was restored
 */
export const renewIncarnation = async (db: Kysely<Tables>, file: string): Promise<boolean> => {
  const known = await readKnown(file);
  const { incarnation } = await db.selectFrom('store_state').select('incarnation').executeTakeFirstOrThrow();
  const isFirst = incarnation === null && known.length === 0;
  const isSame = isFirst || (incarnation !== null && known.includes(incarnation));
  const next = randomUUID();
  // Both names first, so that either is accepted if the process is killed in between.
  const names = (all: readonly string[]) => JSON.stringify({ incarnations: all });
  await writeFileAtomically(file, names(incarnation === null ? [next] : [incarnation, next]), mode);
  await db
    .updateTable('store_state')
    .set({ incarnation: next, ...(isSame ? {} : newEpoch) })
    .execute();
  await writeFileAtomically(file, names([next]), mode);
  return !isSame;
};

export const currentEpoch = async (db: Kysely<Tables>): Promise<number> =>
  (await db.selectFrom('store_state').select('epoch').executeTakeFirstOrThrow()).epoch;

const newEpoch = { epoch: sql<number>`epoch + 1`, epoch_since: sql<Date>`now()` };

const mode = 0o600;

const mostAtOnce = 500;

/** Sends open deliveries of an older epoch to the desk, unsent, if the game keeps no record. @returns how many */
export const deskAllRestored = async (db: Kysely<Tables>): Promise<number> => {
  await renewRestoredRoles(db);
  const guarded = gameIds.filter((game) => gameOf(game).store.guard !== null);
  let moved = 0;
  for (;;) {
    const rows = await db
      .selectFrom('deliveries')
      .select('id')
      .where('state', 'in', ['pending', 'waiting'])
      .where('epoch', '<', (query) => query.selectFrom('store_state').select('epoch'))
      .where(isForGame)
      .where((row) =>
        row.or([row('game', 'not in', guarded), row(sql<string>`line ->> 'kind'`, '<>', 'item')]),
      )
      .limit(mostAtOnce)
      .execute();
    for (const { id } of rows) await deskRestored(db, id);
    moved += rows.length;
    if (rows.length < mostAtOnce) return moved;
  }
};

export const deskRestored = (db: Kysely<Tables>, id: string): Promise<void> =>
  retryDeadlocks(db, async (trx) => {
    const now = await lockDelivery(trx, id);
    if (now?.state !== 'pending' && now?.state !== 'waiting') return;
    await trx
      .updateTable('deliveries')
      .set({
        state: 'unknown',
        waits_for: null,
        detail: reasons.restored,
        desk_reason: 'restored',
        desk_at: sql<Date>`now()`,
      })
      .where('id', '=', id)
      .execute();
    await toDesk(trx, now, 'restored', now.server_id);
  });
