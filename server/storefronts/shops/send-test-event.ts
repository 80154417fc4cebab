import { randomUUID } from 'node:crypto';
import { publicOrigin } from '#contracts/operations/public-address.ts';
import {
  type ShopKind,
  shopSignatureHeaders,
  shopWebhooksHttp,
} from '#contracts/storefronts/shop-webhooks.ts';
import type { ShopTest } from '#contracts/storefronts/shops.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { StorefrontContext } from '../storefront-context.ts';
import { readShopSecrets } from './shop-secrets.ts';
import { shopSignatureOf } from './webhook-signature.ts';

const answerMs = 10_000;

type TestingContext = Pick<StorefrontContext, 'db' | 'secrets' | 'settings' | 'checkAddress' | 'now'>;

/** An event of each shop that has no consequences. */
const testEvents: Readonly<Record<ShopKind, (id: string, now: Date) => object>> = {
  generic: (id) => ({ id, type: 'test' }),
  // https://docs.tebex.io/developers/webhooks/overview
  tebex: (id, now) => ({ id, type: 'validation.webhook', date: now.toISOString(), subject: {} }),
  stripe: (id) => ({ id: `evt_${id}`, object: 'event', type: 'castellan.test', data: { object: {} } }),
};

const unsent = (outcome: ShopTest['outcome'], check: ShopTest['check'] = null): ShopTest => ({
  ...{ outcome, code: null, check },
});

/**
 * Does what the shop does: by the public address, and everything in front of it, to this API. No one else gets the event.
 * @throws {Problem} SECRET_UNREADABLE
 */
export const sendTestEvent = async (
  { db, secrets, settings, checkAddress, now }: TestingContext,
  shopId: string,
  actor: Actor,
): Promise<ShopTest | Refusal> => {
  const shop = await db
    .selectFrom('shops')
    .select(['kind', 'is_enabled', 'checks_address'])
    .where('id', '=', shopId)
    .executeTakeFirst();
  if (!shop) return refuse('NOT_FOUND');
  if (!shop.is_enabled) return unsent('off');
  const [secret] = await readShopSecrets(db, secrets, shopId);
  if (!secret) return unsent('no-secret');
  const address = publicOrigin((await settings.values('general')).publicAddress);
  if (address === null) return unsent('no-address');
  const check = await checkAddress(address, actor);
  if (isRefusal(check)) return check;
  if (check.fault !== null) return unsent('unreachable', check);
  if (shop.checks_address) return unsent('senders-checked', check);

  const { kind } = shop;
  const body = JSON.stringify(testEvents[kind](`test-${randomUUID()}`, new Date(now())));
  const answer = await fetch(`${address}${shopWebhooksHttp.take.path.replace(':shop', shopId)}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      [shopSignatureHeaders[kind]]: shopSignatureOf(kind, secret, body, new Date(now())),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(answerMs),
  }).catch(() => null);
  if (answer === null) return unsent('unreachable', { ...check, fault: 'no-answer' });
  if (answer.status === 200) return unsent('received', check);
  const { code = String(answer.status) } = (await answer.json().catch(() => ({}))) as { code?: string };
  return { outcome: 'refused', code, check };
};
