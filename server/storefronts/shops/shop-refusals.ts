import { sql } from 'kysely';
import {
  type ListedShop,
  type Shop,
  type ShopRefusalKind,
  shopRefusalKinds,
} from '#contracts/storefronts/shops.ts';
import { createThrottle } from '#runtime/throttle/throttle.ts';
import type { StorefrontContext } from '../storefront-context.ts';

/** How often anyone who knows a shop's address can have refusals written, per shop and kind. */
const limits = { shop: { capacity: 1, refillMs: 60_000 } } as const;
/** Older refusals say nothing about the shop's current state. */
const shownMs = 30 * 86_400_000;

/**
 * Records that an event of a known shop was refused: when and why, and no value that was sent. Kinds are limited
 * separately, so that unsigned requests from strangers do not hide that the shop's own events are refused.
 */
export const createNoteRefusal = ({ db, log, now }: Pick<StorefrontContext, 'db' | 'log' | 'now'>) => {
  const throttle = createThrottle(limits, now);
  /** @param field for `shape`, the name of the event's field */
  return (shopId: string, kind: ShopRefusalKind, field: string | null = null): void => {
    if (throttle.take([{ scope: 'shop', subject: `${shopId} ${kind}` }]) > 0) return;
    log.warn({ shop: shopId, refusal: kind }, 'rejected an external shop event');
    const at = { [kind]: new Date(now()).toISOString(), ...(kind === 'shape' && { field }) };
    // Not awaited: refusing an unknown shop takes as long.
    db.updateTable('shops')
      .set({ refused_at: sql`refused_at || ${JSON.stringify(at)}::jsonb` })
      .where('id', '=', shopId)
      .execute()
      .catch((error: unknown) => log.warn({ err: error, shop: shopId }, 'could not store a rejection'));
  };
};

/** Shops with their recent refusals, newest first. */
export const withRefusals = async (
  { db, now }: Pick<StorefrontContext, 'db' | 'now'>,
  shops: readonly Shop[],
): Promise<ListedShop[]> => {
  const rows = await db.selectFrom('shops').select(['id', 'refused_at']).execute();
  const since = new Date(now() - shownMs).toISOString();
  return shops.map((shop) => {
    const refusedAt = rows.find(({ id }) => id === shop.id)?.refused_at ?? {};
    const refusals = shopRefusalKinds.flatMap((kind) => {
      const at = refusedAt[kind];
      const field = kind === 'shape' ? (refusedAt.field ?? null) : null;
      return at !== undefined && at > since ? [{ kind, at, field }] : [];
    });
    return { ...shop, refusals: refusals.toSorted((a, b) => (a.at < b.at ? 1 : -1)) };
  });
};
