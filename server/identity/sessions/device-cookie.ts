import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { equalBytes } from '#runtime/auth/secret-token.ts';
import type { Secret } from '#runtime/secret.ts';

/**
 * Device cookies as described by OWASP: a browser that has signed in to an account keeps proof of it, which opens nothing
 * but gives it its own budget of sign-in tries.
 */
export interface DeviceCookies {
  issue(account: string): { readonly cookie: string; readonly device: string };
  /** The device's name, when the cookie was issued for this account; known-devices.ts decides whether it is still known. */
  deviceOf(cookie: string | null, account: string): string | null;
}

const nonceBytes = 16;
const keyBytes = 32;

/** @param keys CONFIG_ENCRYPTION_KEY and the older ones: a rotation turns no known device into a stranger */
export const createDeviceCookies = (keys: readonly [Secret, ...Secret[]]): DeviceCookies => {
  const derived = keys.map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key.reveal(), 'hex'), '', 'device cookies', keyBytes)),
  );
  const proof = (key: Buffer, nonce: string, account: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([nonce, account]))
      .digest();
  return {
    issue(account) {
      const nonce = randomBytes(nonceBytes).toString('base64url');
      const [newest = Buffer.alloc(0)] = derived;
      return { cookie: `${nonce}.${proof(newest, nonce, account).toString('base64url')}`, device: nonce };
    },
    deviceOf(cookie, account) {
      const [nonce = '', shown = ''] = cookie?.split('.') ?? [];
      const shownProof = Buffer.from(shown, 'base64url');
      const isProof = derived.some((key) => equalBytes(shownProof, proof(key, nonce, account)));
      return isProof ? nonce : null;
    },
  };
};
