import type { KeyObject } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, errors } from 'jose';
import { type TokenClaims, tokenClaims } from '#contracts/license/licenses.ts';

/** The keys that this installation trusts: the pinned one, and its successors. */
export interface TrustedKeys {
  /** `kid` of LICENSE_SERVER_PUBLIC_KEY. */
  readonly pinned: string;
  /** By `kid`; empty when the pinned key was revoked. */
  readonly verifiers: ReadonlyMap<string, KeyObject>;
  readonly struck: ReadonlySet<string>;
}

/** Why the key of a token is not trusted. */
type ForeignReason = 'unknown' | 'struck' | 'pinned-key-struck';

export type TokenReading =
  | { readonly kind: 'verified'; readonly claims: TokenClaims }
  /** Signed by a key that we do not trust. */
  | { readonly kind: 'foreign'; readonly kid: string; readonly reason: ForeignReason }
  | { readonly kind: 'invalid'; readonly detail: string };

const reasonOf = (kid: string, { pinned, struck }: TrustedKeys): ForeignReason => {
  if (struck.has(pinned)) return 'pinned-key-struck';
  return struck.has(kid) ? 'struck' : 'unknown';
};

/** For people: which key it is, and what helps. */
export const explainForeign = (kid: string, reason: ForeignReason): string => {
  switch (reason) {
    case 'pinned-key-struck':
      return (
        'The key in LICENSE_SERVER_PUBLIC_KEY was revoked by the vendor: install a newer build, or put the key ' +
        `that the vendor names into .env (the license token is signed by key ${kid}).`
      );
    case 'struck':
      return `The license token is signed by key ${kid}, which the vendor has revoked; the portal gives a new one.`;
    case 'unknown':
      return `The license token is signed by key ${kid}, which LICENSE_SERVER_PUBLIC_KEY does not vouch for.`;
  }
};

/** Checks who signed and what; whether the token is current is another question. */
export const readToken = async (token: string, keys: TrustedKeys): Promise<TokenReading> => {
  try {
    const { kid = '' } = decodeProtectedHeader(token);
    const key = keys.verifiers.get(kid);
    if (!key) {
      const shown = kid.slice(0, 100) || '(none)';
      return { kind: 'foreign', kid: shown, reason: reasonOf(kid, keys) };
    }
    const { payload } = await compactVerify(token, key, { algorithms: ['EdDSA'] });
    const claims = tokenClaims.safeParse(JSON.parse(new TextDecoder().decode(payload)));
    if (claims.success) return { kind: 'verified', claims: claims.data };
    return { kind: 'invalid', detail: 'the claims of the license token are not the documented ones' };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError)
      return { kind: 'invalid', detail: 'the signature of the license token does not hold' };
    throw error;
  }
};
