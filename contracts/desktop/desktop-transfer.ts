import * as z from 'zod';
import { activation } from '../license/license-answers.ts';
import { customerEmailSchema, customerLicense } from '../portal/customers.ts';
import { desktopCall as call } from './desktop-call.ts';

const nothing = z.undefined();
const ofLicense = z.strictObject({ licenseId: z.string().max(64) });

/** Why the portal refused, in words, with details where they are known. */
const transferRefusal = z.object({
  outcome: z.literal('refused'),
  /** A problem code; null if the portal did not answer. */
  code: z.string().nullable(),
  detail: z.string(),
  retryAfterSeconds: z.int().nullable(),
  /** When the next free transfer is available, if that is the reason. */
  nextFreeAt: z.iso.datetime().nullable(),
});
export type TransferRefusal = z.infer<typeof transferRefusal>;

const orRefusal = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.discriminatedUnion('outcome', [z.object({ outcome: z.literal('done'), ...shape }), transferRefusal]);

/** The progress so far; kept by the desktop, so that a reloaded page continues from there. */
const transferStanding = z.object({
  /** Where a sign-in code was mailed to, or who is signed in. */
  email: z.string().nullable(),
  isSignedIn: z.boolean(),
  /** The license whose key is awaited: a second code was mailed for it. */
  chosen: z.string().nullable(),
});

/** Brings a license from another machine to this one. Only the desktop holds the session and the key. */
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
  /** Requests the transfer to this machine if one is needed, and has the code for the key mailed. */
  'transfer.begin': call(ofLicense, orRefusal({ expiresInSeconds: z.int() })),
  'transfer.cancel': call(ofLicense, orRefusal({ rows: z.array(customerLicense) })),
  /** With the second code, activates the license here. Without one, tries the key that was already shown again. */
  'transfer.activate': call(
    z.strictObject({ code: z.string().max(40).nullable() }),
    orRefusal({ report: activation }),
  ),
  /** Signs out of the portal and forgets everything. */
  'transfer.leave': call(nothing, z.object({})),
} as const;
