import * as z from 'zod';
import { customerEmailSchema, customerLicense } from './customers.ts';
import { desktopCall as call } from './desktop-call.ts';
import { activationReport } from './desktop-license.ts';

const nothing = z.undefined();
const ofLicense = z.strictObject({ licenseId: z.string().max(64) });

/** Why the portal did not do what was asked; in words, and as far as it can be told apart. */
export const transferRefusal = z.object({
  outcome: z.literal('refused'),
  /** A problem code; null when no answer of the portal came. */
  code: z.string().nullable(),
  detail: z.string(),
  retryAfterSeconds: z.int().nullable(),
  /** When the next free transfer is to be had, where that is why. */
  nextFreeAt: z.iso.datetime().nullable(),
});
export type TransferRefusal = z.infer<typeof transferRefusal>;

const orRefusal = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.discriminatedUnion('outcome', [z.object({ outcome: z.literal('done'), ...shape }), transferRefusal]);

/** How far somebody has come; kept by the desktop, so that a page that is loaded anew goes on from there. */
const transferStanding = z.object({
  /** Where a sign-in code was mailed to, or who is signed in. */
  email: z.string().nullable(),
  isSignedIn: z.boolean(),
  /** The license whose key is waited for: a second code was mailed for it. */
  chosen: z.string().nullable(),
});

/** Bringing a license from another machine to this one. The desktop alone holds the session and the key. */
export const transferCalls = {
  'transfer.standing': call(nothing, transferStanding),
  'transfer.requestCode': call(
    z.strictObject({ email: customerEmailSchema }),
    orRefusal({ expiresInSeconds: z.int() }),
  ),
  'transfer.signIn': call(
    z.strictObject({ code: z.string().max(40) }),
    orRefusal({ rows: z.array(customerLicense) }),
  ),
  'transfer.licenses': call(nothing, orRefusal({ rows: z.array(customerLicense) })),
  /** Asks for the transfer to this machine where one is needed, and has the code for the key mailed. */
  'transfer.begin': call(ofLicense, orRefusal({ expiresInSeconds: z.int() })),
  'transfer.cancel': call(ofLicense, orRefusal({ rows: z.array(customerLicense) })),
  /** With the second code: the license is activated here. Without one: the key that was shown is tried again. */
  'transfer.activate': call(
    z.strictObject({ code: z.string().max(40).nullable() }),
    orRefusal({ report: activationReport }),
  ),
  /** Signs out of the portal and forgets everything. */
  'transfer.leave': call(nothing, z.object({})),
} as const;
