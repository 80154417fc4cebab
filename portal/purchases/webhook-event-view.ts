import type { Gateway, WebhookOutcome } from '#contracts/portal/purchases.ts';
import type { WebhookEventRow } from '../database/rows.ts';

/** An event of a gateway as the vendor sees it. Times are ISO 8601 in UTC. */
export interface WebhookEventView {
  readonly id: string;
  readonly gateway: Gateway;
  /** The gateway's own ids. */
  readonly eventId: string;
  readonly type: string;
  readonly references: readonly string[];
  readonly purchaseId: string | null;
  readonly email: string | null;
  readonly plan: string | null;
  readonly outcome: WebhookOutcome;
  readonly reason: string | null;
  readonly occurredAt: string;
  readonly receivedAt: string;
}

export const viewWebhookEvent = (row: WebhookEventRow): WebhookEventView => ({
  id: row.id,
  gateway: row.gateway,
  eventId: row.event_id,
  type: row.type,
  references: row.refs.map((ref) => ref.slice(ref.indexOf(':') + 1)),
  purchaseId: row.purchase_id,
  email: row.facts.email ?? null,
  plan: row.facts.plan ?? null,
  outcome: row.outcome,
  reason: row.reason,
  occurredAt: row.occurred_at.toISOString(),
  receivedAt: row.received_at.toISOString(),
});
