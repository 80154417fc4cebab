import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, gateways, purchasesHttp, signatureHeaders } from '#contracts/portal/purchases.ts';
import type { TestDatabase } from '#harness/database.ts';
import { portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { Secret } from '#runtime/secret.ts';
import { signed } from '#runtime/webhooks/testing/signed.ts';

import { hasSharedSecret, webhookSecretsOf } from './webhook-secrets.ts';

const stripe = new Secret('whsec_of_stripe_0123456789');
const shop = new Secret('of a shop of one, 0123456789');
const generic = new Secret('of another shop 0123456789');

// Guarantee: a secret under a gateway's name belongs to it alone; those without a name serve the others, each its own kind.
test('whose a secret is', () => {
  expect(webhookSecretsOf()).toEqual({ generic: [], stripe: [] });
  expect(webhookSecretsOf([stripe])).toEqual({ generic: [stripe], stripe: [stripe] });
  expect(webhookSecretsOf([stripe, shop])).toEqual({ generic: [shop], stripe: [stripe] });
  expect(webhookSecretsOf([shop], { stripe: [stripe] })).toEqual({ generic: [shop], stripe: [stripe] });
  expect(webhookSecretsOf([], { stripe: [stripe] })).toEqual({ generic: [], stripe: [stripe] });
  expect(webhookSecretsOf([shop], { stripe: [stripe], generic: [generic] })).toEqual({
    generic: [generic],
    stripe: [stripe],
  });
  expect(hasSharedSecret(webhookSecretsOf([shop]))).toBe(true);
  expect(hasSharedSecret(webhookSecretsOf([shop, stripe]))).toBe(false);
  expect(hasSharedSecret({ generic: [new Secret(shop.reveal())], stripe: [shop] })).toBe(true);
  expect(hasSharedSecret(webhookSecretsOf([], { stripe: [stripe, stripe] }))).toBe(false);
});

let database: TestDatabase;
beforeAll(async () => {
  database = await portalDatabase();
});
afterAll(() => database?.[Symbol.asyncDispose]());

/** With a body that is no event, so that only the signature decides between 400 and 401. */
const statusOf = async (portal: TestPortal, gateway: Gateway, secret: Secret): Promise<number> => {
  const body = '{}';
  const headers = { [signatureHeaders[gateway]]: signed(body, new Date(), secret) };
  return (await portal.post(purchasesHttp[gateway].path, body, headers)).status;
};

// Guarantee: what one gateway's secret signs, the other gateway's address refuses; an address without a secret accepts nothing.
test('the secret of another gateway', async () => {
  const start = (webhookSecrets: ReturnType<typeof webhookSecretsOf>) =>
    startTestPortal({ databaseUrl: database.url, webhookSecrets });
  await using both = await start(webhookSecretsOf([], { stripe: [stripe], generic: [generic] }));
  const own = { stripe, generic };
  for (const gateway of gateways)
    for (const owner of gateways)
      expect(await statusOf(both, gateway, own[owner])).toBe(gateway === owner ? 400 : 401);
});
