import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type OrderDetails, ordersHttp } from '#contracts/orders.ts';

/** One product of an order, which differs from every other in recipient, item or quantity. */
export interface Purchase {
  readonly player: string;
  readonly item: string;
  readonly quantity: number;
  readonly productId: string;
}

export interface PlannedOrder {
  readonly memberId: string;
  readonly purchases: readonly Purchase[];
}

export interface AcceptedOrder extends PlannedOrder {
  readonly orderId: string;
  readonly acceptedMs: number;
}

const answerMs = 10_000;
const betweenTriesMs = 200;
/** The share of all requests that the customer cuts off while they are in progress. */
const cutShare = 0.05;
const mostBeforeCutMs = 25;
/** Statuses from an API that is being killed, is starting, or lacks its database: not a final refusal. */
const isPassing = (status: number) => status >= 500 || status === 429 || status === 408;

/** Orders as a shop does: with a key, and again with the same key until an answer arrives. @throws when it is refused */
export const placeOrder = async (
  {
    apiUrl,
    apiKey,
    random,
  }: { readonly apiUrl: string; readonly apiKey: string; readonly random: () => number },
  { memberId, purchases }: PlannedOrder,
): Promise<OrderDetails> => {
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
  };
  const body = JSON.stringify({
    memberId,
    lines: purchases.map(({ productId, quantity }) => ({ productId, quantity })),
  });
  for (;;) {
    const patienceMs = random() < cutShare ? random() * mostBeforeCutMs : answerMs;
    const answer = await ask(apiUrl + ordersHttp.place.path, {
      method: ordersHttp.place.method,
      headers,
      body,
      signal: AbortSignal.timeout(Math.ceil(patienceMs)),
    });
    if (answer?.status === 200) return ordersHttp.place.response.parse(JSON.parse(answer.text));
    if (answer && !isPassing(answer.status)) throw new Error(`an order was refused: ${answer.text}`);
    await delay(betweenTriesMs);
  }
};

/** @returns null if no complete answer arrived */
const ask = async (
  url: string,
  init: RequestInit,
): Promise<{ readonly status: number; readonly text: string } | null> => {
  try {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  } catch {
    return null;
  }
};
