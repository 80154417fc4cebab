import { createHash, createHmac } from 'node:crypto';
import type { ShopKind } from '#contracts/shop-webhooks.ts';
import { equalBytes } from '#runtime/auth/secret-token.ts';
import type { Secret } from '#runtime/secret.ts';
import { findSignatureFault, type SignatureFault } from '#runtime/webhooks/signature.ts';

/**
 * Tebex: the hex HMAC-SHA256 of the hex SHA-256 of the body (https://docs.tebex.io/developers/webhooks/overview). It
 * contains no time: a repeated event is recognized by its id.
 */
const isSignedByTebex = (secrets: readonly Secret[], header: string, body: Uint8Array): boolean => {
  if (!/^[0-9a-f]{64}$/i.test(header)) return false;
  const shown = Buffer.from(header, 'hex');
  const digest = createHash('sha256').update(body).digest('hex');
  let fits = false;
  for (const secret of secrets)
    if (equalBytes(shown, createHmac('sha256', secret.reveal()).update(digest).digest())) fits = true;
  return fits;
};

/** @returns null: one of the shop's secrets has signed this body */
export const findShopSignatureFault = (
  kind: ShopKind,
  secrets: readonly Secret[],
  { header, body }: { readonly header: string; readonly body: Uint8Array },
  now: Date,
): SignatureFault | null => {
  if (kind !== 'tebex') return findSignatureFault(secrets, header, body, now);
  return isSignedByTebex(secrets, header, body) ? null : 'unsigned';
};

/** https://docs.tebex.io/developers/webhooks/overview */
const tebexAddresses: ReadonlySet<string> = new Set(['18.209.80.3', '54.87.231.232']);

export const isTebexAddress = (address: string): boolean =>
  tebexAddresses.has(address.replace(/^::ffff:/i, ''));
