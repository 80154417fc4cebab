import type { Generated, JSONColumnType, Selectable } from 'kysely';
import type { Gateway, WebhookOutcome } from '#contracts/purchases.ts';
import type { PurchaseFacts, PurchaseKind } from './purchase-event.ts';

interface PlansTable {
  /** As the product is named at the gateway. */
  id: string;
  tier: string;
  /** `['*']` means all. */
  features: JSONColumnType<string[]>;
  max_clusters: number | null;
  /** Of a single purchase; null: its license never expires. */
  duration_days: number | null;
  updated_at: Date;
}

/** Card data and whatever else we do not use are not kept; the hash tells whether a payload is the same. */
interface WebhookEventsTable {
  id: string;
  gateway: Gateway;
  event_id: string;
  /** As the gateway names it. */
  type: string;
  kind: PurchaseKind;
  /** Everything that ties the event to an order, each as `gateway:id`. */
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

export interface PurchaseTables {
  plans: PlansTable;
  webhook_events: WebhookEventsTable;
  fulfilments: FulfilmentsTable;
}

export type PlanRow = Selectable<PlansTable>;
export type WebhookEventRow = Selectable<WebhookEventsTable>;
