import { createHmac } from 'node:crypto';
import { tokenDigest } from './auth/secret-token.ts';
import type { Secret } from './secret.ts';

/** Sent along with the desktop's credential: the person at this machine has confirmed. Pages of the desktop cannot send it. */
export const confirmationHeader = 'Castellan-Confirmation';

/** `cdk_<id>_<secret>`; credentials from before they had their own prefix look like API keys and stay valid. */
const keptCredential = /^(?:cdk|cst)_([a-z0-9]{1,64})_([\w-]{43})$/;

export const desktopCredentialText = (id: string, secret: string): string => `cdk_${id}_${secret}`;

/** Null when the text is not a credential that a desktop keeps. */
export const readDesktopCredential = (
  text: string,
): { readonly id: string; readonly secret: string } | null => {
  const [, id, secret] = keptCredential.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
};

/** @param credentialDigest SHA-256 of the credential's secret, all that the API stores of it */
export const confirmationOf = (credentialDigest: Buffer): string =>
  createHmac('sha256', credentialDigest)
    .update('the person at this machine has confirmed')
    .digest('base64url');

/** The same from the credential itself: a stored one, or one that the supervisor has made for this start. */
export const confirmationBy = (credential: Secret): string => {
  const text = credential.reveal();
  const secret = readDesktopCredential(text)?.secret ?? text;
  return confirmationOf(tokenDigest(secret));
};
