import { hkdfSync } from 'node:crypto';
import * as z from 'zod';
import { keyStatementSchema, maxEndorsements } from '#contracts/license/key-succession.ts';
import { refusalCodes } from '#contracts/license/license-refusals.ts';
import { tenantIdSchema, tokenSchema } from '#contracts/license/licenses.ts';
import { Secret } from '../../secret.ts';
import { createSecretBox, TamperedError, UnknownKeyError } from '../../secret-box.ts';
import { wrappedKeySchema } from '../hwid/wrapped-keys.ts';

/** Longest foreign text that we store. */
export const detailMaxLength = 500;
const detail = z.string().max(detailMaxLength);

/**
 * license.json. Nothing in it is trusted just because it is written there: the license is what the signed token says, and only on
 * the machine on which `seals` open.
 */
export const licenseRecord = z.object({
  /** Differs after every change; starts at random, so that a new file is never mistaken for an older one. */
  revision: z.int().nonnegative(),
  instanceId: z.guid().optional(),
  /** Sealed under a key derived from the machine's secret. */
  licenseKey: z.string(),
  tenantId: tenantIdSchema,
  token: tokenSchema,
  /** The portal's refusal; stands until the portal confirms the license again. */
  refusal: z.object({ code: z.enum(refusalCodes), at: z.iso.datetime(), detail }).nullable(),
  lastCheck: z
    .object({
      at: z.iso.datetime(),
      outcome: z.enum(['confirmed', 'refused', 'unreachable']),
      detail: detail.nullable(),
      /** The portal's time then; absent in the records of older builds, and where a token says it. */
      portalAt: z.iso.datetime().optional(),
    })
    .nullable(),
  /** End of the license, as the portal sent it with the token; null: never. Shown, but decides nothing. */
  endsAt: z.iso.datetime().nullable().optional().catch(undefined),
  seals: z.array(wrappedKeySchema).max(8),
  /** Endorsements of the signing keys that follow the pinned one; verified each time they are read. */
  successorKeys: z.array(keyStatementSchema).max(maxEndorsements),
  /** The newest revocation of stolen keys. Absent in the records of older builds. */
  strikes: keyStatementSchema.nullable().default(null),
});
export type LicenseRecord = z.infer<typeof licenseRecord>;

const keyPlace = 'license.json licenseKey';

const keyBox = (machineSecret: Buffer) => {
  const key = hkdfSync('sha256', machineSecret, '', 'castellan license key v1', 32);
  return createSecretBox([new Secret(Buffer.from(key).toString('hex'))]);
};

export const sealLicenseKey = (licenseKey: string, machineSecret: Buffer): string =>
  keyBox(machineSecret).seal(licenseKey, keyPlace);

/** Null when it was sealed on another machine, or changed. */
export const openLicenseKey = (record: LicenseRecord, machineSecret: Buffer): string | null => {
  try {
    return keyBox(machineSecret).open(record.licenseKey, keyPlace).toString();
  } catch (error) {
    if (error instanceof UnknownKeyError || error instanceof TamperedError) return null;
    throw error;
  }
};
