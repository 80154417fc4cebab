import { createHash, createHmac } from 'node:crypto';
import type { ShopKind } from '#contracts/storefronts/shop-webhooks.ts';
import { equalBytes } from '#runtime/auth/secret-token.ts';
import { bareAddress } from '#runtime/http/forwarded-headers.ts';
import { canonicalAddress } from '#runtime/ip-address.ts';
import type { Secret } from '#runtime/secret.ts';
import { findSignatureFault, type SignatureFault, signatureOf } from '#runtime/webhooks/signature.ts';

/**
 * The HMAC-SHA256 of the hex SHA-256 of the body (https://docs.tebex.io/developers/webhooks/overview). It contains no time: a
 * repeated event is recognized by its id.
 */
const tebexMac = (secret: Secret, body: Uint8Array | string): Buffer =>
  createHmac('sha256', secret.reveal()).update(createHash('sha256').update(body).digest('hex')).digest();

/** The signature header with which a shop of this kind sends a body now. */
export const shopSignatureOf = (kind: ShopKind, secret: Secret, body: string, now: Date): string =>
  kind === 'tebex' ? tebexMac(secret, body).toString('hex') : signatureOf(secret, body, now);

/** Tebex signs in hex. */
const isSignedByTebex = (secrets: readonly Secret[], header: string, body: Uint8Array): boolean => {
  if (!/^[0-9a-f]{64}$/i.test(header)) return false;
  const shown = Buffer.from(header, 'hex');
  let fits = false;
  for (const secret of secrets) if (equalBytes(shown, tebexMac(secret, body))) fits = true;
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
  tebexAddresses.has(canonicalAddress(bareAddress(address)) ?? '');
