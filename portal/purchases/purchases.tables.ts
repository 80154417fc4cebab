import type { Generated, JSONColumnType, Selectable } from 'kysely';
import type { Gateway, WebhookOutcome } from '#contracts/purchases.ts';
import type { PurchaseFacts, PurchaseKind } from './purchase-event.ts';

interface PlansTable {
  /** The product's name at the gateway. */
  id: string;
  tier: string;
  /** `['*']` means all. */
  features: JSONColumnType<string[]>;
  max_clusters: number | null;
  /** For a single purchase; null: its license never expires. */
  duration_days: number | null;
  updated_at: Date;
}

/** Card data and other unused fields are not stored; the hash shows whether a payload is the same. */
interface WebhookEventsTable {
  id: string;
  gateway: Gateway;
  event_id: string;
  /** The gateway's name for the type. */
  type: string;
  kind: PurchaseKind;
  /** Everything that ties the event to an order, as `gateway:id`. */
  refs: string[];
  facts: JSONColumnType<PurchaseFacts>;
  payload_sha256: Buffer;
  occurred_at: Date;
  received_at: Date;
  outcome: WebhookOutcome;
  /** Why it is not processed, for people. */
  reason: string | null;
  purchase_id: string | null;
}

interface FulfilmentsTable {
  purchase_id: string;
  license_id: string;
  applied_expires_at: Date | null;
  /** Whether the buyer was told that the subscription has ended. */
  ended: Generated<boolean>;
}

/** Payments and refunds as a gateway reported them: the source of the sales figures. */
interface PaymentsTable {
  gateway: Gateway;
  direction: 'paid' | 'returned';
  reference: string;
  source: string;
  event_id: string;
  /** In minor units; null: everything paid for the source. */
  minor: string | null;
  currency: string | null;
  is_total: boolean;
  at: Date;
}

export interface PurchaseTables {
  payments: PaymentsTable;
  plans: PlansTable;
  webhook_events: WebhookEventsTable;
  fulfilments: FulfilmentsTable;
}

export type PlanRow = Selectable<PlansTable>;
export type WebhookEventRow = Selectable<WebhookEventsTable>;
