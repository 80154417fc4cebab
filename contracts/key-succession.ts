import * as z from 'zod';
import { endpoint } from './http.ts';
import { product } from './product.ts';

/**
 * How a client that knows one signing key of the portal learns of the later ones: each key is endorsed by an earlier
 * one, and keys that were stolen are struck out by a later one. Both are compact JWS with EdDSA, whose header carries
 * the signer's `kid` and a `typ` of their own, so that neither passes for a license token or for the other.
 */
export const endorsementType = 'castellan-key-endorsement+jwt';
export const revocationsType = 'castellan-key-strikes+jwt';

/** RFC 7638 thumbprint: a SHA-256 in base64url. */
export const kidSchema = z.string().regex(/^[\w-]{43}$/);

/** Endorsements that are published and followed; a longer chain is no real one. */
export const maxEndorsements = 100;
/** Keys that a strike may name. */
const maxNamedKeys = 200;

/** What a key says of a later one. */
export const endorsementClaims = z.object({
  iss: z.literal(product.issuer),
  /** Of the endorsed key: the thumbprint of `key`. */
  kid: kidSchema,
  /** The endorsed Ed25519 key: 32 bytes in base64url. */
  key: z.string().regex(/^[\w-]{43}$/),
  /** Place of the endorsed key in the succession; grows from key to key, and no two keys have the same. */
  sequence: z.int().positive(),
});
export type EndorsementClaims = z.infer<typeof endorsementClaims>;

/** What the newest strike says; it takes in all earlier ones. */
export const revocationClaims = z.object({
  iss: z.literal(product.issuer),
  /** Grows with every strike; a lower one than the highest that was seen is out of date. */
  number: z.int().positive(),
  /** Keys that prove nothing any more. */
  struck: z.array(kidSchema).min(1).max(maxNamedKeys),
  /** Every key that the portal ever made: what a struck key endorsed counts only when it is one of them. */
  genuine: z.array(kidSchema).max(maxNamedKeys),
});
export type RevocationClaims = z.infer<typeof revocationClaims>;

const maxStatementLength = 24_576;
export const keyStatementSchema = z
  .string()
  .max(maxStatementLength)
  .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'must be a signed statement');

export const keySuccession = z.object({
  /** In the order of their sequence. */
  endorsements: z.array(keyStatementSchema).max(maxEndorsements),
  /** Null as long as no key was struck out. */
  strikes: keyStatementSchema.nullable(),
});
export type KeySuccession = z.infer<typeof keySuccession>;

/** Response header of activate and validate, once a key was struck out: the number of the newest strike. */
export const revocationNumberHeader = 'Castellan-Key-Strikes';

export const keySuccessionHttp = {
  succession: endpoint({
    method: 'GET',
    path: '/.well-known/castellan-keys.json',
    summary: 'How the signing keys follow one another, and which were struck out',
    access: 'public',
    response: keySuccession,
    problems: [],
  }),
} as const;
