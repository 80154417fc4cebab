import type { Kysely, Transaction } from 'kysely';

/** Runs one transaction and rolls it back if its result asks for it: a refusal must leave nothing behind. */
export const rollBackWhen = async <Tables, T>(
  db: Kysely<Tables>,
  isUndone: (result: T) => boolean,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> => {
  const trx = await db.startTransaction().execute();
  try {
    const result = await work(trx);
    await (isUndone(result) ? trx.rollback() : trx.commit()).execute();
    return result;
  } catch (error) {
    // The same cause may have broken the connection; the first error is the useful one.
    if (!trx.isCommitted && !trx.isRolledBack)
      await trx
        .rollback()
        .execute()
        .catch(() => undefined);
    throw error;
  }
};
