import * as z from 'zod';
import { refusalCodes } from './license-refusals.ts';

/** For people, one line. */
const detail = z.string();
/** The portal's own time, where its answer has one that no one on the way could have changed. */
const portalAt = z.iso.datetime().optional();

/** Why the portal did not confirm a license: one type from the portal's answer to the page that shows it. */
const portalFailure = z.discriminatedUnion('outcome', [
  /** The only outcome that rejects the license. */
  z.object({ outcome: z.literal('refused'), code: z.enum(refusalCodes), detail }),
  /** Unknown key, license not active, or a token that proves nothing. */
  z.object({ outcome: z.literal('unauthorized'), detail }),
  z.object({
    outcome: z.literal('rate-limited'),
    /** Null when the portal did not say. */
    retryAfterSeconds: z.int().nullable(),
    detail,
  }),
  /** A token signed by a key that LICENSE_SERVER_PUBLIC_KEY does not vouch for. */
  z.object({ outcome: z.literal('wrong-environment'), kid: z.string(), detail }),
  z.object({ outcome: z.literal('unreachable'), detail, portalAt }),
]);
export type PortalFailure = z.infer<typeof portalFailure>;

/** The result of an activation; every failure that can be expected is a value. */
export const activation = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('activated') }),
  ...portalFailure.options,
  /** Mistyped: the check character does not fit, nothing was sent. */
  z.object({ outcome: z.literal('invalid-key'), detail }),
  z.object({ outcome: z.literal('hwid-unavailable'), detail }),
  /** Accepted by the portal, but license.json could not be written; its old content is intact. */
  z.object({ outcome: z.literal('not-saved'), detail }),
]);
export type Activation = z.infer<typeof activation>;
export type ActivationFailure = Exclude<Activation, { outcome: 'activated' }>;
