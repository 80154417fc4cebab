import { createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';

export interface PublicKey {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly key: KeyObject;
}

/** @param text raw Ed25519 public key: 32 bytes in base64url. Null when it is invalid. */
export const readPublicKey = async (text: string): Promise<PublicKey | null> => {
  if (!/^[\w-]{43}$/.test(text) || Buffer.from(text, 'base64url').length !== 32) return null;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: text };
  return { kid: await calculateJwkThumbprint(jwk), key: createPublicKey({ key: jwk, format: 'jwk' }) };
};

/** Bytes of the key's thumbprint that people compare: 80 bits, so that no one can craft another key that matches. */
const comparedBytes = 10;

/**
 * A key's fingerprint for people to compare: `9f86 d081 884c 7d65 9a2f`.
 * @param kid its RFC 7638 thumbprint
 */
export const keyFingerprint = (kid: string): string =>
  (Buffer.from(kid, 'base64url').subarray(0, comparedBytes).toString('hex').match(/.{4}/g) ?? []).join(' ');
