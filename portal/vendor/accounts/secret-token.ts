import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secret } from '#runtime/secret.ts';

/** 256 random bits behind a prefix that tells people what it is: a session, or a browser that has signed in before. */
export const newToken = (prefix: 'ven' | 'dev' | 'form'): string =>
  `${prefix}_${randomBytes(32).toString('base64url')}`;

/** What is kept of a token. One that cannot be guessed needs no slow hash. */
export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();

export const isSecret = (shown: string, secret: Secret): boolean =>
  timingSafeEqual(tokenDigest(shown), tokenDigest(secret.reveal()));

/** 120 bits, for the first sign-in alone. */
export const newInitialPassword = (): string => randomBytes(15).toString('base64url');
