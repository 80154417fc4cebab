import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { getPublicKeyAsync, utils } from '@noble/ed25519';
import { calculateJwkThumbprint } from 'jose';

/** An Ed25519 key pair as raw 32-byte halves in base64url, the format that LICENSE_SERVER_PUBLIC_KEY also has. */
interface RawKeyPair {
  /** RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

export const generateKeyPair = async (): Promise<RawKeyPair> => {
  const secret = utils.randomSecretKey();
  const publicKey = base64url(await getPublicKeyAsync(secret));
  return { kid: await thumbprint(publicKey), publicKey, privateKey: base64url(secret) };
};

const publicJwk = (publicKey: string) => ({ kty: 'OKP', crv: 'Ed25519', x: publicKey }) as const;

const thumbprint = (publicKey: string): Promise<string> => calculateJwkThumbprint(publicJwk(publicKey));

/** A member of the JWKS. */
export const signatureJwk = (kid: string, publicKey: string) =>
  ({ ...publicJwk(publicKey), kid, alg: 'EdDSA', use: 'sig' }) as const;

export const verifyingKey = (publicKey: string): KeyObject =>
  createPublicKey({ key: publicJwk(publicKey), format: 'jwk' });

export const signingKey = (publicKey: string, privateKey: string): KeyObject =>
  createPrivateKey({ key: { ...publicJwk(publicKey), d: privateKey }, format: 'jwk' });
