import { createHash, randomBytes } from 'node:crypto';

const tokenBytes = 32;

/** 256 random bits behind a prefix that tells people, and the log's redaction, what it is. */
export const newSecretToken = (prefix: string): string =>
  `${prefix}_${randomBytes(tokenBytes).toString('base64url')}`;

/** What is kept of a token. One that cannot be guessed needs no slow hash. */
export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();
