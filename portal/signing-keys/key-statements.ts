import { type KeyObject, sign } from 'node:crypto';
import { product } from '#contracts/kernel/product.ts';
import {
  type EndorsementClaims,
  endorsementType,
  type RevocationClaims,
  revocationsType,
} from '#contracts/license/key-succession.ts';

export interface Signer {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const signStatement = (typ: string, claims: object, { kid, privateKey }: Signer): string => {
  const signed = `${encode({ alg: 'EdDSA', typ, kid })}.${encode({ iss: product.issuer, ...claims })}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
};

/** A key's endorsement of a later one. */
export const signEndorsement = (endorsed: Omit<EndorsementClaims, 'iss'>, signer: Signer): string =>
  signStatement(endorsementType, endorsed, signer);

export const signRevocations = (claims: Omit<RevocationClaims, 'iss'>, signer: Signer): string =>
  signStatement(revocationsType, claims, signer);
