import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { refusalCodes } from './license-refusals.ts';

export const licenseStates = ['unlicensed', 'valid', 'grace', 'rejected'] as const;
export type LicenseState = (typeof licenseStates)[number];

/** Why a license is rejected or missing; each is a problem code too. */
export const licenseFaults = [
  ...refusalCodes,
  'LICENSE_REQUIRED',
  'LICENSE_GRACE_ENDED',
  'LICENSE_WRONG_ENVIRONMENT',
  'LICENSE_RECORD_UNUSABLE',
  'HWID_UNAVAILABLE',
  'CLOCK_ROLLED_BACK',
  'CLOCK_AHEAD',
] as const;
export type LicenseFault = (typeof licenseFaults)[number];

/**
 * Sent by a page with an ordinary request while the license keeps the API closed: the API then first asks the portal, at most once
 * in 10 s for all callers, and answers as it would without it.
 */
export const licenseCheckHeader = 'Castellan-Check-License';

/** What every refusal for the license carries as `license`. */
export const licenseRefusal = z.object({
  state: z.enum(licenseStates),
  code: z.enum(licenseFaults),
  detail: z.string(),
  /** Only sent to the machine itself. */
  hwid: z.string().nullable().optional(),
  /** The newest question to the portal; absent or null if there was none. */
  lastCheck: z
    .object({ at: z.iso.datetime(), outcome: z.enum(['confirmed', 'refused', 'unreachable']) })
    .nullish(),
  /** Where the license's owner renews and transfers it. */
  customerAreaUrl: z.string().optional(),
});
export type LicenseRefusal = z.infer<typeof licenseRefusal>;

/** The tier of licenses from a demo portal next to the stack; the panel marks them. */
export const demoLicenseTier = 'demo';

/**
 * A license that ends within this time is reported. A subscription is valid until 3 days after the paid period, and an
 * installation learns of its renewal within a day, so one that is renewed never comes this close to its end.
 */
export const licenseEndsSoonMs = 48 * 3_600_000;

/** All times are ISO 8601 in UTC. */
export const licenseStatus = z
  .object({
    state: z.enum(licenseStates),
    /** Present when unlicensed or rejected. */
    code: z.enum(licenseFaults).nullable(),
    /** In words, for people. */
    detail: z.string(),
    hwid: z.string().nullable(),
    licenseId: z.string().nullable(),
    tenantId: z.string().nullable(),
    tier: z.string().nullable(),
    features: z.array(z.string()),
    maxClusters: z.int().nullable(),
    issuedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    /** When grace ends: expiry plus LICENSE_GRACE_PERIOD_DAYS. */
    graceEndsAt: z.iso.datetime().nullable(),
    lastCheck: z
      .object({
        at: z.iso.datetime(),
        outcome: z.enum(['confirmed', 'refused', 'unreachable']),
        /** What prevented it, in words, if the outcome is not `confirmed`. */
        detail: z.string().nullable(),
        /** The portal's time at that moment, if its answer did not confirm the license and said so. */
        portalAt: z.iso.datetime().optional(),
      })
      .nullable(),
    /** Why the portal's newest answer could not be saved, in words; absent if it was. It is valid until this process ends. */
    notSaved: z.string().optional(),
    nextCheckAt: z.iso.datetime().nullable(),
    /** When the license ends, as the portal last said; null: never. Absent until the portal has said so. For display only. */
    endsAt: z.iso.datetime().nullable().optional(),
    /** Where the license's owner renews and transfers it. */
    customerAreaUrl: z.string().optional(),
    /** This machine's clock, and the latest time known from the portal. */
    clock: z.object({
      local: z.iso.datetime(),
      known: z.iso.datetime().nullable(),
      /** Why the token looks older than it is: the clock seems to be ahead by this much. Absent if nothing speaks for that. */
      aheadSeconds: z.int().positive().optional(),
    }),
  })
  .meta({ id: 'LicenseStatus' });
export type LicenseStatus = z.infer<typeof licenseStatus>;

export const licenseStateHttp = {
  status: endpoint({
    method: 'GET',
    path: '/api/internal/license/status',
    summary: 'Return the license status',
    access: 'stack.read',
    loopback: true,
    response: licenseStatus,
    problems: ['UNAUTHENTICATED'],
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/license/check',
    summary: 'Check the license with the portal now; returns the result',
    access: 'stack.write',
    response: licenseStatus,
    /** RATE_LIMITED within 10 s of an answer; callers in the meantime share that answer. */
    problems: [...changeProblems, 'RATE_LIMITED'],
  }),
} as const;
