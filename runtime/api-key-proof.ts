import { createHmac } from 'node:crypto';
import { tokenDigest } from './auth/secret-token.ts';

/** `cst_<id>_<secret>` */
const keyPattern = /^cst_([a-z0-9]{1,64})_([\w-]{43})$/;

export const apiKeyText = (id: string, secret: string): string => `cst_${id}_${secret}`;

/** Null for what is no API key. */
export const readApiKey = (text: string): { readonly id: string; readonly secret: string } | null => {
  const [, id, secret] = keyPattern.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
};

/** Of a secret's digest as the API keeps it: said only by who knows the key, or keeps it, and giving nothing of it away. */
export const keyProof = (digest: Buffer, nonce: string): string =>
  createHmac('sha256', digest).update(`the API that knows this key: ${nonce}`).digest('base64url');

export const keyProofBySecret = (secret: string, nonce: string): string =>
  keyProof(tokenDigest(secret), nonce);
