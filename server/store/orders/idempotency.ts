import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { OrderRequest } from '#contracts/store/orders.ts';
import { type Actor, actorReference } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

/** Equal values give equal text, whatever the order of their keys. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

/**
 * Claims a caller's key for the order that this transaction is about to write. A concurrent request with the same key waits
 * here until the first one has ended.
 * @returns the order that this key already created; null if the key is new
 */
export const claimKey = async (
  trx: Kysely<Tables>,
  claim: {
    readonly actor: Actor;
    readonly key: string;
    readonly request: OrderRequest;
    readonly orderId: string;
  },
): Promise<{ readonly orderId: string } | Refusal | null> => {
  const { key, orderId } = claim;
  const caller = actorReference(claim.actor);
  const digest = createHash('sha256').update(canonicalJson(claim.request)).digest();
  const claimed = await trx
    .insertInto('order_requests')
    .values({ caller, key, body_digest: digest, order_id: orderId })
    .onConflict((conflict) => conflict.columns(['caller', 'key']).doNothing())
    .returning('order_id')
    .executeTakeFirst();
  if (claimed) return null;
  const known = await trx
    .selectFrom('order_requests')
    .select(['order_id', 'body_digest'])
    .where('caller', '=', caller)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return known.body_digest.equals(digest) ? { orderId: known.order_id } : refuse('IDEMPOTENCY_MISMATCH');
};
