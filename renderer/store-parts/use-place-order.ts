import { useRef, useState } from 'react';
import type * as z from 'zod';
import { deliveriesHttp } from '#contracts/deliveries.ts';
import { membersHttp } from '#contracts/members.ts';
import { type OrderDetails, type orderRequest, ordersHttp } from '#contracts/orders.ts';
import { storeHttp } from '#contracts/store.ts';
import { call } from '../wire/call.ts';
import { queryClient, readKey, useRead } from '../wire/queries.ts';

export type OrderWish = z.input<typeof orderRequest>;

const stale = [
  ordersHttp.list,
  ordersHttp.preview,
  deliveriesHttp.list,
  membersHttp.read,
  membersHttp.ledger,
  storeHttp.products,
  storeHttp.read,
];

const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Prices, limits and presence change while it is looked at. */
const everyMs = 10_000;

/** What an order would come to; null: not all of it is chosen yet. */
export const useOrderPreview = (wish: OrderWish | null) =>
  useRead(
    ordersHttp.preview,
    { body: wish ?? { memberId: '', lines: [] } },
    { enabled: wish !== null, everyMs },
  );

export interface PlacingOrder {
  readonly isPlacing: boolean;
  readonly error: unknown;
  /** @returns null when it was refused, or when no answer came */
  place(wish: OrderWish): Promise<OrderDetails | null>;
}

/** Places orders; one whose answer was lost is asked for again, and not placed twice. */
export const usePlaceOrder = (): PlacingOrder => {
  const [isPlacing, setIsPlacing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const sent = useRef<{ readonly of: string; readonly idempotencyKey: string } | null>(null);
  return {
    isPlacing,
    error,
    async place(wish) {
      const of = JSON.stringify(wish);
      if (sent.current?.of !== of) sent.current = { of, idempotencyKey: randomKey() };
      setIsPlacing(true);
      setError(null);
      try {
        const { idempotencyKey } = sent.current;
        const order = await call(ordersHttp.place, { body: wish }, { idempotencyKey });
        sent.current = null;
        return order;
      } catch (failure) {
        setError(failure);
        return null;
      } finally {
        setIsPlacing(false);
        for (const read of stale) void queryClient.invalidateQueries({ queryKey: readKey(read) });
      }
    },
  };
};
