import type { Kysely, Transaction } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { breaksCheck, isOverdrawn } from '../points/check-violation.ts';

class Undone extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.refused);
    this.refusal = refusal;
  }
}

/** Runs a transaction and rolls it back if the result is a refusal. */
export const transact = async <Result>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<Result | Refusal>,
): Promise<Result | Refusal> => {
  try {
    return await retryDeadlocks(db, async (trx) => {
      const result = await work(trx);
      if (isRefusal(result)) throw new Undone(result);
      return result;
    });
  } catch (error) {
    const refusal = error instanceof Undone ? error.refusal : refusalOf(error);
    if (refusal) return refusal;
    throw error;
  }
};

/** Refusals by the database itself: checks, and `object_not_in_prerequisite_state`. */
const refusalOf = (error: unknown): Refusal | null => {
  if (isOverdrawn(error)) return refuse('INSUFFICIENT_POINTS');
  if (breaksCheck(error, 'products_stock')) return refuse('OUT_OF_STOCK');
  if ((error as { readonly code?: string } | null)?.code === '55000')
    return refuse('DELIVERY_STATE', reasons['order-unsettled']);
  return null;
};

export const lockProducts = async (trx: Kysely<Tables>, ids: readonly string[]): Promise<void> => {
  await trx.selectFrom('products').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
};
