import { createHash } from 'node:crypto';
import {
  type Gateway,
  genericWebhookEvent,
  purchasesHttp,
  signatureHeaders,
  stripeWebhookEvent,
  type WebhookAnswer,
} from '#contracts/portal/purchases.ts';
import type { Clock } from '#runtime/clock.ts';
import { parseReportedJson } from '#runtime/http/json-body.ts';
import type { RequestContext } from '#runtime/http/routes.ts';
import { Problem } from '#runtime/problem.ts';
import { readEvent } from '#runtime/webhooks/read-event.ts';
import { isSignedBy } from '#runtime/webhooks/signature.ts';
import type { PortalRoutes } from '../portal-routes.ts';
import { readGenericEvent } from './generic-event.ts';
import type { PurchaseEvent } from './purchase-event.ts';
import type { Purchases } from './purchases.ts';
import { readStripeEvent } from './stripe-event.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

export interface WebhookFeature {
  readonly purchases: Purchases;
  readonly webhookSecrets: WebhookSecrets;
  readonly clock: Clock;
}

const readers: Readonly<Record<Gateway, (body: unknown) => PurchaseEvent | null>> = {
  generic: (body) => readGenericEvent(genericWebhookEvent.parse(body)),
  stripe: (body) => readStripeEvent(stripeWebhookEvent.parse(body)),
};

export const purchaseRoutes = (
  routes: PortalRoutes,
  { purchases, webhookSecrets, clock }: WebhookFeature,
) => {
  const take = async (
    gateway: Gateway,
    bytes: Uint8Array,
    { request }: RequestContext<null>,
  ): Promise<WebhookAnswer> => {
    const secrets = webhookSecrets[gateway];
    if (secrets.length === 0)
      throw new Problem('NOT_FOUND', {
        detail: `This portal takes no webhooks here: PURCHASE_WEBHOOK_SECRET_${gateway.toUpperCase()} is not set.`,
      });
    // Nothing of the body is read before its sender is known.
    const header = request.get(signatureHeaders[gateway]) ?? '';
    if (!isSignedBy(secrets, header, bytes, clock.now())) throw new Problem('WEBHOOK_SIGNATURE_INVALID');
    const event = readEvent(readers[gateway], parseReportedJson(bytes));
    if (!event) return { status: 'ignored' };
    return { status: await purchases.take(event, createHash('sha256').update(bytes).digest()) };
  };
  routes.on(purchasesHttp.generic, ({ body }, context) => take('generic', body, context));
  routes.on(purchasesHttp.stripe, ({ body }, context) => take('stripe', body, context));
};
