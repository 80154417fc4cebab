import { useRef, useState } from 'react';
import type * as z from 'zod';
import { membersHttp } from '#contracts/people/members.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { type OrderDetails, type orderRequest, ordersHttp } from '#contracts/store/orders.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { queryClient, readKey, useRead } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';

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

/** Prices, limits and presence may change while the preview is open. */
const everyMs = 10_000;

/** The preview of an order; null while it is incomplete. */
export const useOrderPreview = (wish: OrderWish | null) =>
  useRead(
    ordersHttp.preview,
    { body: wish ?? { memberId: '', lines: [] } },
    { enabled: wish !== null, everyMs },
  );

interface PlacingOrder {
  readonly isPlacing: boolean;
  readonly error: unknown;
  /** @returns null if it was refused or no answer came */
  place(wish: OrderWish): Promise<OrderDetails | null>;
}

/** Places orders. If an answer is lost, the same request is repeated with its key and not placed twice. */
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
        const order = await sendChange(ordersHttp.place, { body: wish }, { idempotencyKey });
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
