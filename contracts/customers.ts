import * as z from 'zod';
import { endpoint } from './http.ts';
import { hwidSchema, licenseKeySchema } from './licenses.ts';

/** A code to sign in with, or to see one's own license key. */
export const signInCodeMinutes = 10;
export const revealCodeMinutes = 5;
export const triesPerCode = 5;

/** A session ends when it was not used for this long, … */
export const customerSessionIdleHours = 24;
/** … and this long after its beginning in any case. */
export const customerSessionMaxDays = 7;

export const customerEmailSchema = z.email('must be an e-mail address, such as name@example.com').max(254);

/** As the license wizard displays it; spaces around it and capitals do not matter. */
export const pastedHwidSchema = z.string().max(200).trim().pipe(hwidSchema);

const idSchema = z.string().max(64);
const moment = z.iso.datetime();

const pendingTransfer = z.object({ id: idSchema, toHwid: z.string(), requestedAt: moment });

export const customerLicense = z
  .object({
    id: idSchema,
    /** The last four characters are shown. */
    maskedKey: z.string(),
    tier: z.string(),
    status: z.enum(['active', 'expired', 'suspended', 'revoked']),
    expiresAt: moment.nullable(),
    /** Null means no cap. */
    maxClusters: z.int().nullable(),
    createdAt: moment,
    machine: z
      .object({
        hwid: z.string(),
        version: z.string(),
        boundAt: moment,
        /** Of its daily check; null before the first one. */
        lastCheckedAt: moment.nullable(),
      })
      .nullable(),
    transfer: z.object({
      pending: pendingTransfer.nullable(),
      /** Null: a free one is to be had now. */
      nextFreeAt: moment.nullable(),
      /** Transfers that the vendor has given beyond the free ones. */
      extra: z.int(),
    }),
  })
  .meta({ id: 'CustomerLicense' });
export type CustomerLicense = z.infer<typeof customerLicense>;

/** What happened to a license, in words; the newest first. */
export const licenseHistory = z.array(z.object({ at: moment, text: z.string() }));
export type LicenseHistory = z.infer<typeof licenseHistory>;

export const customerSession = z
  .object({
    id: idSchema,
    /** `program`: the license wizard, or a script. */
    kind: z.enum(['browser', 'program']),
    createdAt: moment,
    /** To the minute. */
    lastUsedAt: moment,
    address: z.string(),
    userAgent: z.string(),
    /** The one that asks. */
    current: z.boolean(),
  })
  .meta({ id: 'CustomerSession' });
export type CustomerSession = z.infer<typeof customerSession>;

const licenseParams = z.object({ id: idSchema });
const oneTimeCode = z.string().max(40);

/** What a customer may do by the pages under /account, for programs: the token of the session is the bearer. */
export const customersHttp = {
  requestCode: endpoint({
    method: 'POST',
    path: '/api/customer/sign-in/code',
    summary:
      'Mail a one-time code to a customer; the answer is the same whether or not somebody has this address',
    access: 'public',
    body: z.strictObject({ email: customerEmailSchema }),
    response: z.object({
      /** To be sent along with the code: it is good for nobody else. */
      pending: z.string(),
      expiresInSeconds: z.int(),
    }),
    problems: ['RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/customer/sign-in',
    summary: 'Sign in with the code from the mail',
    access: 'public',
    body: z.strictObject({ pending: z.string().max(100), code: oneTimeCode }),
    response: z.object({ token: z.string(), email: z.string(), expiresAt: moment }),
    problems: ['WRONG_CREDENTIALS', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
  }),
  licenses: endpoint({
    method: 'GET',
    path: '/api/customer/licenses',
    summary: 'Your licenses, the newest first',
    access: 'signed-in',
    response: z.object({ email: z.string(), rows: z.array(customerLicense) }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  license: endpoint({
    method: 'GET',
    path: '/api/customer/licenses/:id',
    summary: 'One of your licenses with its history',
    access: 'signed-in',
    params: licenseParams,
    response: z.object({ license: customerLicense, history: licenseHistory }),
    problems: ['UNAUTHENTICATED', 'NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
  requestTransfer: endpoint({
    method: 'PUT',
    path: '/api/customer/licenses/:id/transfer',
    summary: 'Transfer the license to the machine with this HWID, once that one activates',
    access: 'signed-in',
    params: licenseParams,
    body: z.strictObject({
      hwid: pastedHwidSchema,
      /** Id of the pending transfer that this one corrects. */
      replaces: idSchema.nullable().default(null),
    }),
    response: customerLicense,
    problems: ['UNAUTHENTICATED', 'NOT_FOUND', 'TRANSFER_REFUSED', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
  }),
  cancelTransfer: endpoint({
    method: 'DELETE',
    path: '/api/customer/licenses/:id/transfer',
    summary: 'Cancel the pending transfer; it costs nothing',
    access: 'signed-in',
    params: licenseParams,
    response: customerLicense,
    problems: ['UNAUTHENTICATED', 'NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
  requestRevealCode: endpoint({
    method: 'POST',
    path: '/api/customer/licenses/:id/reveal/code',
    summary: 'Mail the code that shows the license key',
    access: 'signed-in',
    params: licenseParams,
    response: z.object({ expiresInSeconds: z.int() }),
    problems: ['UNAUTHENTICATED', 'NOT_FOUND', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
  }),
  reveal: endpoint({
    method: 'POST',
    path: '/api/customer/licenses/:id/reveal',
    summary: 'The license key, for the code from the mail',
    access: 'signed-in',
    params: licenseParams,
    body: z.strictObject({ code: oneTimeCode }),
    response: z.object({ licenseKey: licenseKeySchema }),
    problems: ['UNAUTHENTICATED', 'NOT_FOUND', 'WRONG_CREDENTIALS', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/customer/sessions',
    summary: 'Where you are signed in, the last used first',
    access: 'signed-in',
    response: z.object({ rows: z.array(customerSession) }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  signOut: endpoint({
    method: 'DELETE',
    path: '/api/customer/sessions/current',
    summary: 'End the session that asks',
    access: 'signed-in',
    response: z.object({}),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  signOutEverywhere: endpoint({
    method: 'DELETE',
    path: '/api/customer/sessions',
    summary: 'End all of your sessions, in browsers and programs, this one too',
    access: 'signed-in',
    response: z.object({ ended: z.int() }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
} as const;
