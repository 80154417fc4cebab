import { sign } from 'node:crypto';
import { product } from '#contracts/kernel/product.ts';
import {
  type EndorsementClaims,
  endorsementType,
  type RevocationClaims,
  revocationsType,
} from '#contracts/license/key-succession.ts';
import type { SigningKey } from './fake-portal.ts';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A statement as the portal would sign it or, with another header, as it never would. */
export const signStatement = (
  typ: string,
  claims: object,
  { kid, privateKey }: SigningKey,
  header: object = {},
): string => {
  const signed = `${encode({ alg: 'EdDSA', typ, kid, ...header })}.${encode({ iss: product.issuer, ...claims })}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
};

export const endorse = (
  signer: SigningKey,
  endorsed: SigningKey,
  sequence: number,
  more: Partial<Record<keyof EndorsementClaims, unknown>> = {},
): string =>
  signStatement(endorsementType, { kid: endorsed.kid, key: endorsed.publicKey, sequence, ...more }, signer);

export const revoke = (signer: SigningKey, claims: Omit<RevocationClaims, 'iss'>): string =>
  signStatement(revocationsType, claims, signer);
