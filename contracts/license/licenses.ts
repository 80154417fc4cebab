import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { product } from '../kernel/product.ts';
import { licenseKeyPattern } from './license-key.ts';

/** `sha256:` and 64 hex digits; any case is accepted and stored as lower case. */
export const hwidSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/i, 'must be sha256: followed by 64 hex digits')
  .toLowerCase();

export const licenseKeySchema = z
  .string()
  .regex(licenseKeyPattern, 'must have the form CSTL-XXXX-XXXX-XXXX-XXXX');

export const tenantIdSchema = z.string().regex(/^c[0-9a-z]{24}$/, 'must be a cuid');

/** Similar to semver, with an optional pre-release and build suffix. */
const clientVersionSchema = z
  .string()
  .max(64)
  .regex(/^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/, 'must be a version such as 1.2.3 or 1.2.3-beta.1');

/** Larger than any token we sign; keeps oversized ones away from the signature check. */
const tokenMaxLength = 8192;

export const tokenSchema = z
  .string()
  .max(tokenMaxLength)
  .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'must be a signed JWT');

export const activateRequest = z.strictObject({
  licenseKey: licenseKeySchema,
  hwid: hwidSchema,
  instanceId: z.guid(),
  version: clientVersionSchema,
});
export type ActivateRequest = z.infer<typeof activateRequest>;

export const validateRequest = z.strictObject({
  tenantId: tenantIdSchema,
  token: tokenSchema,
  hwid: hwidSchema,
});
export type ValidateRequest = z.infer<typeof validateRequest>;

export const tokenResponse = z.object({
  token: tokenSchema,
  signingKeyId: z.string(),
});
export type TokenResponse = z.infer<typeof tokenResponse>;

/** Lifetime of a token: one day. */
export const tokenLifetimeSeconds = 86_400;

export const tokenClaims = z.object({
  iss: z.literal(product.issuer),
  aud: z.literal(product.audience),
  /** License id. */
  sub: z.string(),
  /** Seconds since epoch. */
  iat: z.int(),
  /** Seconds since epoch; one day after `iat`. */
  exp: z.int(),
  tier: z.string(),
  tenantId: tenantIdSchema,
  hwid: hwidSchema,
  /** `['*']` means all features. */
  features: z.array(z.string()),
  /** Null means no limit. */
  maxClusters: z.int().nullable(),
  buyerEmail: z.string(),
  /** Order id at the payment gateway. */
  purchaseId: z.string(),
});
export type TokenClaims = z.infer<typeof tokenClaims>;

/** Public signing keys, RFC 7517; `kid` is the RFC 7638 thumbprint of the key. */
export const jwks = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.string(),
      alg: z.literal('EdDSA'),
      use: z.literal('sig'),
    }),
  ),
});
export type Jwks = z.infer<typeof jwks>;

/**
 * Sent with a token: when the license ends, ISO 8601, or `never`. A token lasts one day whatever the license does, so
 * only this header informs an installation of the end; it is for display and proves nothing.
 */
export const licenseEndHeader = 'Castellan-License-Ends';
export const licenseNeverEnds = 'never';

const latestExpiry = new Date('9999-12-31T23:59:59.999Z');

/** The expiry, at most the last moment whose year has four digits: later ones are not readable as ISO 8601 here. */
export const capExpiry = (at: Date): Date => (at > latestExpiry ? latestExpiry : at);

/** Requests per minute and address; fixed by the interface, not a setting. */
export const licenseRateLimits = { activate: 5, validate: 30 } as const;

export const licensesHttp = {
  activate: endpoint({
    method: 'POST',
    path: '/api/licenses/activate',
    summary: 'Activate a license for the first time: binds the machine to it and returns a signed token',
    access: 'public',
    body: activateRequest,
    response: tokenResponse,
    problems: ['UNAUTHORIZED', 'HWID_MISMATCH', 'RATE_LIMITED'],
    codeless: [400, 429],
  }),
  validate: endpoint({
    method: 'POST',
    path: '/api/licenses/validate',
    summary: 'Validate a license in the daily check, and renew its token',
    access: 'public',
    body: validateRequest,
    response: tokenResponse,
    problems: ['UNAUTHORIZED', 'REVOKED', 'SUSPENDED', 'EXPIRED', 'HWID_MISMATCH', 'RATE_LIMITED'],
    codeless: [400, 429],
  }),
  jwks: endpoint({
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'Return the public keys that sign license tokens',
    access: 'public',
    response: jwks,
    problems: [],
  }),
} as const;
