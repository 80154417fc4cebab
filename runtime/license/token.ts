import { createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, errors } from 'jose';
import { type TokenClaims, tokenClaims } from '#contracts/licenses.ts';
import { StartupError } from '../program.ts';

/** The keys that this installation believes, by `kid`. Followed successors of the pinned key will join here. */
export type TrustedKeys = ReadonlyMap<string, KeyObject>;

export type TokenReading =
  | { readonly kind: 'verified'; readonly claims: TokenClaims }
  /** Signed by a key that we do not believe. */
  | { readonly kind: 'foreign'; readonly kid: string }
  | { readonly kind: 'invalid'; readonly detail: string };

/**
 * @param publicKey the pinned key, 32 bytes in base64url
 * @throws {StartupError} when it is not one
 */
export const trustKey = async (publicKey: string): Promise<TrustedKeys> => {
  if (!/^[\w-]{43}$/.test(publicKey) || Buffer.from(publicKey, 'base64url').length !== 32)
    throw new StartupError('LICENSE_SERVER_PUBLIC_KEY must be an Ed25519 public key: 32 bytes in base64url');
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey };
  const kid = await calculateJwkThumbprint(jwk);
  return new Map([[kid, createPublicKey({ key: jwk, format: 'jwk' })]]);
};

/** Checks who signed and what; whether the token is current is another question. */
export const readToken = async (token: string, keys: TrustedKeys): Promise<TokenReading> => {
  try {
    const { kid = '' } = decodeProtectedHeader(token);
    const key = keys.get(kid);
    if (!key) return { kind: 'foreign', kid: kid.slice(0, 100) || '(none)' };
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
