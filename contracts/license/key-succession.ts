import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { product } from '../kernel/product.ts';

/**
 * How a client that knows one signing key of the portal learns of later ones: each key is endorsed by an earlier one,
 * and stolen keys are revoked by a later one. Both statements are compact JWS with EdDSA, whose header has the signer's
 * `kid` and its own `typ`, so that neither can be mistaken for a license token or for the other.
 */
export const endorsementType = 'castellan-key-endorsement+jwt';
export const revocationsType = 'castellan-key-strikes+jwt';

/** RFC 7638 thumbprint: a SHA-256 in base64url. */
const kidSchema = z.string().regex(/^[\w-]{43}$/);

/** The most endorsements that are published and followed; no genuine chain is longer. */
export const maxEndorsements = 100;
/** The most keys that a revocation may name. */
const maxNamedKeys = 200;

/** What a key states about a later one. */
export const endorsementClaims = z.object({
  iss: z.literal(product.issuer),
  /** The kid of the endorsed key: the thumbprint of `key`. */
  kid: kidSchema,
  /** The endorsed Ed25519 key: 32 bytes in base64url. */
  key: z.string().regex(/^[\w-]{43}$/),
  /** Position of the endorsed key in the succession; grows from key to key and is unique. */
  sequence: z.int().positive(),
});
export type EndorsementClaims = z.infer<typeof endorsementClaims>;

/** The content of the newest revocation, which includes all earlier ones. */
export const revocationClaims = z.object({
  iss: z.literal(product.issuer),
  /** Grows with every revocation; a number lower than the highest seen is out of date. */
  number: z.int().positive(),
  /** Keys that no longer prove anything. */
  struck: z.array(kidSchema).min(1).max(maxNamedKeys),
  /** Every key that the portal ever made: an endorsement by a revoked key counts only for one of these. */
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
  /** Null until a key is revoked. */
  strikes: keyStatementSchema.nullable(),
});
export type KeySuccession = z.infer<typeof keySuccession>;

/** Response header of activate and validate, once a key is revoked: the number of the newest revocation. */
export const revocationNumberHeader = 'Castellan-Key-Strikes';

export const keySuccessionHttp = {
  succession: endpoint({
    method: 'GET',
    path: '/.well-known/castellan-keys.json',
    summary: 'Return the succession of the signing keys, and which of them were revoked',
    access: 'public',
    response: keySuccession,
    problems: [],
  }),
} as const;
