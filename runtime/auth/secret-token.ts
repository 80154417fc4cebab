import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../secret.ts';

/** The prefixes of the tokens that no log may hold; the redaction works from this list. */
export const redactedPrefixes = [
  // The API's sessions, WebSocket tickets and half-finished sign-ins.
  'cse',
  'cwt',
  'csh',
  // The portal's customers and vendors, browsers that have signed in before, half-finished sign-ins and forms.
  'cus',
  'ven',
  'dev',
  'pend',
  'form',
] as const;

/** The set-up link is printed on purpose: the log is one way for the first owner to get it. */
type TokenPrefix = (typeof redactedPrefixes)[number] | 'csu';

const tokenBytes = 32;

/** 256 random bits as 43 characters of base64url. */
export const newSecretText = (): string => randomBytes(tokenBytes).toString('base64url');

/** Whether a text has the form of {@link newSecretText}. */
export const isSecretText = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** 256 random bits behind a prefix that tells people, and the log redaction, what it is. */
export const newSecretToken = (prefix: TokenPrefix): string => `${prefix}_${newSecretText()}`;

/** SHA-256, all that is stored of a token. A value that cannot be guessed needs no slow hash. */
export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Compares bytes in a time that depends only on their number. */
export const equalBytes = (shown: Uint8Array, expected: Uint8Array): boolean =>
  shown.length === expected.length && timingSafeEqual(shown, expected);

/** Compares digests, so that the time reveals neither the secret nor its length. */
export const isToken = (shown: string, digest: Uint8Array): boolean => equalBytes(tokenDigest(shown), digest);

export const isSecret = (shown: string, secret: Secret): boolean =>
  isToken(shown, tokenDigest(secret.reveal()));
