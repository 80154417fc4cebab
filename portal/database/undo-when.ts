import type { Kysely, Transaction } from 'kysely';
import type { PortalTables } from './tables.ts';

/** One transaction that is rolled back where what it came to says so: a refusal that is to leave nothing behind. */
export const undoWhen = async <T>(
  db: Kysely<PortalTables>,
  isUndone: (result: T) => boolean,
  work: (trx: Transaction<PortalTables>) => Promise<T>,
): Promise<T> => {
  const trx = await db.startTransaction().execute();
  try {
    const result = await work(trx);
    await (isUndone(result) ? trx.rollback() : trx.commit()).execute();
    return result;
  } catch (error) {
    // What broke it may have broken the connection; the first error is the one that tells.
    if (!trx.isCommitted && !trx.isRolledBack)
      await trx
        .rollback()
        .execute()
        .catch(() => undefined);
    throw error;
  }
};
