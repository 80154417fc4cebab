import { createHmac } from 'node:crypto';
import { tokenDigest } from './auth/secret-token.ts';

/** `cst_<id>_<secret>` */
const keyPattern = /^cst_([a-z0-9]{1,64})_([\w-]{43})$/;

export const apiKeyText = (id: string, secret: string): string => `cst_${id}_${secret}`;

/** Null when the text is not an API key. */
export const readApiKey = (text: string): { readonly id: string; readonly secret: string } | null => {
  const [, id, secret] = keyPattern.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
};

/** Proves knowledge of a key to anyone who stores its digest, without revealing the key or the digest. */
export const keyProof = (digest: Buffer, nonce: string): string =>
  createHmac('sha256', digest).update(`the API that knows this key: ${nonce}`).digest('base64url');

export const keyProofBySecret = (secret: string, nonce: string): string =>
  keyProof(tokenDigest(secret), nonce);
