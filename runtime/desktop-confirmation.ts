import { createHmac } from 'node:crypto';
import { tokenDigest } from './auth/secret-token.ts';
import type { Secret } from './secret.ts';

/** Beside the desktop's credential: the person at this machine has confirmed. Pages of the desktop cannot send it. */
export const confirmationHeader = 'Castellan-Confirmation';

/** `cdk_<id>_<secret>`; credentials made before they had a kind to themselves read like API keys and stay good. */
const keptCredential = /^(?:cdk|cst)_([a-z0-9]{1,64})_([\w-]{43})$/;

export const desktopCredentialText = (id: string, secret: string): string => `cdk_${id}_${secret}`;

/** Null for what is no credential that a desktop keeps. */
export const readDesktopCredential = (
  text: string,
): { readonly id: string; readonly secret: string } | null => {
  const [, id, secret] = keptCredential.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
};

/** @param credentialDigest SHA-256 of the credential's secret, all that the API keeps of it */
export const confirmationOf = (credentialDigest: Buffer): string =>
  createHmac('sha256', credentialDigest)
    .update('the person at this machine has confirmed')
    .digest('base64url');

/** The same from the credential itself: one that is kept, or one that the supervisor has made for this start. */
export const confirmationBy = (credential: Secret): string => {
  const text = credential.reveal();
  const secret = readDesktopCredential(text)?.secret ?? text;
  return confirmationOf(tokenDigest(secret));
};
