import * as z from 'zod';

/**
 * What an installation reaches on the internet. Shops are not among them: they call, and are not called.
 * - `proxy`: the proxy itself, without anything behind it
 * - `public-address`: the address at which the API is reached from outside
 */
export const outsideAddressKinds = [
  'proxy',
  'license-portal',
  'discord',
  'discord-gateway',
  'modrinth',
  'curseforge',
  'steam',
  'updates',
  'public-address',
] as const;
export type OutsideAddressKind = (typeof outsideAddressKinds)[number];

/** One address; its path, a name and a password are left out. */
export const outsideAddress = z.object({ kind: z.enum(outsideAddressKinds), address: z.string() });
export type OutsideAddress = z.infer<typeof outsideAddress>;

/**
 * Whose word vouches for the authority that signed a certificate: `bundled`, as every program trusts it; `system`, only this
 * computer's store; `own-file`, only TRUSTED_CA_FILE.
 */
const authoritySources = ['bundled', 'system', 'own-file'] as const;

export const addressTest = z.object({
  ...outsideAddress.shape,
  /** Null: it was reached. Otherwise what stands in the way and what to do, as `reasons` has it. */
  fault: z.string().nullable(),
  /** The proxy on the way, without name and password; null: directly. */
  proxy: z.string().nullable(),
  /** Why a proxy that this computer names was passed over. */
  passedOver: z.string().nullable(),
  /** The authority at the top of the certificate's chain; null: no TLS, or not accepted. */
  signedBy: z.object({ name: z.string(), source: z.enum(authoritySources).nullable() }).nullable(),
  /** How far this computer's clock is ahead of the address's, in seconds; null: unknown. */
  clockAheadS: z.int().nullable(),
  tookMs: z.int(),
});
export type AddressTest = z.infer<typeof addressTest>;

/** Less is the time that an answer takes. */
export const clockNoticeS = 60;
