import { type Gateway, purchasesHttp, signatureHeaders } from '#contracts/portal/purchases.ts';
import type { TestDatabase } from '#harness/database.ts';
import {
  type Answer,
  movableClock,
  newMasterKey,
  startTestPortal,
  type TestPortal,
} from '#harness/portal.ts';
import { Secret } from '#runtime/secret.ts';
import { signed } from '#runtime/webhooks/testing/signed.ts';

export const webhookSecret = new Secret('whsec_0123456789abcdef0123456789');

export interface Shop extends AsyncDisposable {
  readonly portal: TestPortal;
  readonly masterKey: Secret;
  readonly clock: ReturnType<typeof movableClock>;
  /** Signed with the secret, at the current time. */
  send(gateway: Gateway, event: object): Promise<Answer>;
  sendRaw(gateway: Gateway, body: string, signature: string): Promise<Answer>;
}

export const standardPlan = {
  id: 'standard',
  tier: 'community',
  features: ['*'],
  maxClusters: 2,
  durationDays: null,
} as const;

/** A portal that sells the plan `standard`, with the gateway in front of it. */
export const openShop = async (database: TestDatabase, masterKey = newMasterKey()): Promise<Shop> => {
  const clock = movableClock();
  const portal = await startTestPortal({
    databaseUrl: database.url,
    masterKey,
    clock,
    webhookSecrets: { generic: [webhookSecret], stripe: [webhookSecret] },
  });
  await portal.context.plans.put(standardPlan);
  const sendRaw: Shop['sendRaw'] = (gateway, body, signature) =>
    portal.post(purchasesHttp[gateway].path, body, { [signatureHeaders[gateway]]: signature });
  return {
    portal,
    masterKey,
    clock,
    sendRaw,
    send(gateway, event) {
      const body = JSON.stringify(event);
      return sendRaw(gateway, body, signed(body, clock.now(), webhookSecret));
    },
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  };
};

/** The buyer's licenses of an order, with the state that counts. */
export const licensesOf = async ({ portal }: Shop, purchaseId: string) => {
  const rows = await portal.context.db
    .selectFrom('licenses')
    .selectAll()
    .where('purchase_id', '=', purchaseId)
    .execute();
  return rows.map(({ id, status, tier, features, max_clusters, expires_at, buyer_email }) => ({
    id,
    status,
    tier,
    features,
    maxClusters: max_clusters,
    expiresAt: expires_at?.toISOString() ?? null,
    buyerEmail: buyer_email,
  }));
};

/** Sorted by name: the shop's clock does not advance, so nothing shows which one was written first. */
export const mailsOf = async ({ portal }: Shop): Promise<string[]> => {
  const mails = await portal.context.db.selectFrom('mail_outbox').select('kind').orderBy('kind').execute();
  return mails.map(({ kind }) => kind);
};
