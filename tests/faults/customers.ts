import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { GameId } from '#contracts/servers/games.ts';
import type { DeskDecision } from '#contracts/store/deliveries.ts';
import { type OrderDetails, ordersHttp } from '#contracts/store/orders.ts';
import { pickFrom } from '../bench/harness/seeded-random.ts';

/** One product of an order, which differs from every other in recipient, item or quantity. */
export interface Purchase {
  readonly item: string;
  readonly quantity: number;
  readonly productId: string;
  /** What the owner has decided in advance for the product's deliveries whose end is unknown. */
  readonly rule: DeskDecision | null;
}

export interface PlannedOrder {
  readonly game: GameId;
  /** For whom it is meant, whichever member has this player when it is placed. */
  readonly player: string;
  readonly purchases: readonly Purchase[];
}

export interface AcceptedOrder extends PlannedOrder {
  readonly orderId: string;
  readonly acceptedMs: number;
}

export interface Shop {
  /** Of the API processes; each request goes to any of them. */
  readonly apiUrls: readonly string[];
  readonly apiKey: string;
  readonly random: () => number;
  readonly memberOf: (game: GameId, player: string) => Promise<string>;
}

const answerMs = 10_000;
const betweenTriesMs = 200;
/** The share of all requests that the customer cuts off while they are in progress. */
const cutShare = 0.05;
const mostBeforeCutMs = 25;
/** Statuses from an API that is being killed, is starting, or lacks its database: not a final refusal. */
const isPassing = (status: number) => status >= 500 || status === 429 || status === 408;

/**
 * Orders as a shop does: with a key, and again with the same key until an answer arrives. If the member was merged into another
 * in between, it is ordered for that one. @throws when it is refused
 */
export const placeOrder = async (shop: Shop, order: PlannedOrder): Promise<OrderDetails> => {
  for (;;) {
    const memberId = await shop.memberOf(order.game, order.player);
    const placed = await placeFor(shop, order, memberId);
    if (placed !== 'merged') return placed;
  }
};

const placeFor = async (
  { apiUrls, apiKey, random }: Shop,
  { purchases }: PlannedOrder,
  memberId: string,
): Promise<OrderDetails | 'merged'> => {
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
    const answer = await ask(pickFrom(apiUrls, random) + ordersHttp.place.path, {
      method: ordersHttp.place.method,
      headers,
      body,
      signal: AbortSignal.timeout(Math.ceil(patienceMs)),
    });
    if (answer?.status === 200) return ordersHttp.place.response.parse(JSON.parse(answer.text));
    if (answer?.text.includes('MEMBER_GONE')) return 'merged';
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
