import * as z from 'zod';
import type { GameId } from '#contracts/servers/games.ts';
import type { NamedReceiver, ShopEventKind, ShopFacts } from '../../kernel/database/stored-values.ts';
import { parsePlatformId } from './receiver.ts';
import type { ShopEvent } from './shop-event.ts';

/** Shapes and types: https://docs.tebex.io/developers/webhooks/overview. Only what is read here is required. */
const reference = z.union([z.string(), z.number()]).transform(String).pipe(z.string().min(1).max(200));
const webhook = z.looseObject({
  id: reference,
  type: z.string().min(1).max(100),
  subject: z.unknown(),
});
/** Empty if the buyer has none. A Steam id as a number has lost its last digits, and would name another person. */
const playerId = z
  .union([z.string().max(200), z.number().transform((id) => (Number.isSafeInteger(id) ? String(id) : null))])
  .nullish();
/** Tebex is written in PHP, which makes `[]` of an object without members. */
const noMembers = z.tuple([]).transform(() => null);
const username = z
  .union([
    z.object({ id: playerId, username: z.string().max(200).nullish() }),
    z
      .string()
      .max(200)
      .transform((name) => ({ id: null, username: name })),
    noMembers,
  ])
  .nullish();
/** A number that a plug-in or a proxy of the owner's may have made a text of. */
const quantity = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);
/** Display only, so that its form refuses no payment. */
const price = z
  .object({
    amount: z.union([z.number(), z.string().regex(/^\d{1,15}(?:\.\d{1,4})?$/)]),
    currency: z.string().max(10),
  })
  .nullish()
  .catch(null);
const payment = z.object({
  transaction_id: reference,
  price_paid: price,
  payment_method: z.object({ name: z.string() }).nullish().catch(null),
  price,
  customer: z.union([z.object({ username }), noMembers]).nullish(),
  products: z.array(z.object({ id: reference, quantity, username })).max(100),
});
const ofPayment = z.object({ transaction_id: reference });

/** `closed` says that a dispute is over, but not who won: a person decides, as for one that was won. */
const kinds: Readonly<Record<string, ShopEventKind>> = {
  'payment.completed': 'paid',
  'payment.refunded': 'refunded',
  'payment.dispute.opened': 'disputed',
  'payment.dispute.won': 'dispute-won',
  'payment.dispute.lost': 'dispute-lost',
  'payment.dispute.closed': 'dispute-won',
};

/**
 * Minecraft's UUIDs that belong to someone: Mojang's are random (version 4), Floodgate's begin with zeros. Stores for offline and
 * Geyser servers send hashes of the name, with the marks of version 3 or as they are, and nil (plan-player-analytics/Plan#3728,
 * tebexio/Tebex-Minecraft#113).
 */
const ownedUuid = /^minecraft:(?:[0-9a-f]{8}-[0-9a-f]{4}-4|0{8}-0{4}-0{4}-(?!0{4}-0{12}$))/;

/** @returns whether someone has this id; other ids that a store sends are its own, or none */
const isSomeones = (id: string, game: GameId): boolean => {
  const platformId = parsePlatformId(id, game);
  if (platformId === null || /^\W*(?:0\W*)+$/.test(id)) return false;
  return !platformId.startsWith('minecraft:') || ownedUuid.test(platformId);
};

const receiverOf = (named: z.output<typeof username>, game: GameId): NamedReceiver | null => {
  const id = named?.id?.trim() ?? '';
  if (isSomeones(id, game)) return { kind: 'id', text: id, game: null };
  const name = named?.username?.trim() || id;
  return name === '' ? null : { kind: 'name', text: name, game: null };
};

/** A product bought as a gift names its own receiver. */
const readPayment = (subject: unknown, game: GameId): ShopFacts & { readonly orderId: string } => {
  const {
    transaction_id: orderId,
    products,
    customer,
    payment_method: method,
    ...paid
  } = payment.parse(subject);
  const buyer = receiverOf(customer?.username, game);
  const receivers = products.map((product) => receiverOf(product.username, game) ?? buyer);
  const [receiver = buyer] = receivers;
  const amount = paid.price_paid ?? paid.price;
  return {
    kind: 'paid',
    orderId,
    lines: products.map(({ id, quantity }) => ({ product: id, quantity })),
    receiver,
    hasSeveralReceivers: receivers.some((one) => JSON.stringify(one) !== JSON.stringify(receiver)),
    amount: amount ? { value: String(amount.amount), currency: amount.currency } : null,
    // Offered only while the store is in test mode.
    ...(/^test payments?$/i.test(method?.name ?? '') ? { isTest: true as const } : {}),
  };
};

interface TebexWebhook {
  /** Tebex asks whether the address responds; the answer repeats the id. */
  readonly isValidation: boolean;
  readonly event: ShopEvent;
}

/**
 * @param game of the shop, which says whose ids it sends
 * @throws {z.ZodError} when it differs from the documentation
 */
export const readTebexEvent = (body: unknown, game: GameId): TebexWebhook => {
  const { id: eventId, type, subject } = webhook.parse(body);
  const isValidation = type === 'validation.webhook';
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind === undefined)
    return { isValidation, event: { eventId, type, refs: [], facts: { kind: 'nothing' } } };
  const facts: ShopFacts =
    kind === 'paid'
      ? readPayment(subject, game)
      : kind === 'refunded'
        ? { kind }
        : { kind, disputeId: 'dispute' };
  const { transaction_id } = ofPayment.parse(subject);
  return { isValidation, event: { eventId, type, refs: [`order:${transaction_id}`], facts } };
};
