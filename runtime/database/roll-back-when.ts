import type { Kysely, Transaction } from 'kysely';

/** One transaction, rolled back where its result asks for it: a refusal must leave nothing behind. */
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
    // What broke it may have broken the connection; the first error is the one that tells.
    if (!trx.isCommitted && !trx.isRolledBack)
      await trx
        .rollback()
        .execute()
        .catch(() => undefined);
    throw error;
  }
};
