import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { hwidSchema, licenseKeySchema } from '../license/licenses.ts';
import { mailAddress } from './mail-address.ts';

/** How long a code is valid, for signing in or for showing a license key. */
export const signInCodeMinutes = 10;
export const revealCodeMinutes = 5;
export const triesPerCode = 5;

/** A session ends after this long without use, … */
export const customerSessionIdleHours = 24;
/** … and at the latest this long after it began. */
export const customerSessionMaxDays = 7;

export const customerEmailSchema = mailAddress('must be an e-mail address, such as name@example.com');

/** The path of the customer area's pages. */
export const customerAreaPath = '/account';

/** As the license wizard displays it; surrounding spaces and case are ignored. */
export const pastedHwidSchema = z.string().max(200).trim().pipe(hwidSchema);

const idSchema = z.string().max(64);
const moment = z.iso.datetime();

const pendingTransfer = z.object({ id: idSchema, toHwid: z.string(), requestedAt: moment });

export const customerLicense = z
  .object({
    id: idSchema,
    /** Shows the last four characters. */
    maskedKey: z.string(),
    tier: z.string(),
    status: z.enum(['active', 'expired', 'suspended', 'revoked']),
    /** The vendor's reason for suspending or revoking it: one line of plain text; null: none. */
    reason: z.string().nullable().default(null),
    expiresAt: moment.nullable(),
    /** Null means no limit. */
    maxClusters: z.int().nullable(),
    createdAt: moment,
    machine: z
      .object({
        hwid: z.string(),
        version: z.string(),
        boundAt: moment,
        /** The last daily check; null before the first one. */
        lastCheckedAt: moment.nullable(),
      })
      .nullable(),
    transfer: z.object({
      pending: pendingTransfer.nullable(),
      /** Null: a free transfer is available now. */
      nextFreeAt: moment.nullable(),
      /** Transfers granted by the vendor beyond the free ones. */
      extra: z.int(),
    }),
  })
  .meta({ id: 'CustomerLicense' });
export type CustomerLicense = z.infer<typeof customerLicense>;

/** What happened to a license, in words; newest first. */
const licenseHistory = z.array(z.object({ at: moment, text: z.string() }));
export type LicenseHistory = z.infer<typeof licenseHistory>;

const customerSession = z
  .object({
    id: idSchema,
    /** `program`: the license wizard, or a script. */
    kind: z.enum(['browser', 'program']),
    createdAt: moment,
    /** Accurate to the minute. */
    lastUsedAt: moment,
    address: z.string(),
    userAgent: z.string(),
    /** The session of this request. */
    current: z.boolean(),
  })
  .meta({ id: 'CustomerSession' });
export type CustomerSession = z.infer<typeof customerSession>;

const licenseParams = z.object({ id: idSchema });
const oneTimeCode = z.string().max(40);

/** What a customer can do on the pages under /account, for programs: the session's token is the bearer. */
export const customersHttp = {
  requestCode: endpoint({
    method: 'POST',
    path: '/api/customer/sign-in/code',
    summary:
      'Email a one-time code to a customer; the response is the same whether or not the address is known',
    access: 'public',
    body: z.strictObject({ email: customerEmailSchema }),
    response: z.object({
      /** Must be sent together with the code, which is valid only with it. */
      pending: z.string(),
      expiresInSeconds: z.int(),
    }),
    problems: ['RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/customer/sign-in',
    summary: 'Sign in with the code from the email',
    access: 'public',
    body: z.strictObject({ pending: z.string().max(100), code: oneTimeCode }),
    response: z.object({ token: z.string(), email: z.string(), expiresAt: moment }),
    problems: ['WRONG_CREDENTIALS', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
  }),
  licenses: endpoint({
    method: 'GET',
    path: '/api/customer/licenses',
    summary: 'List your licenses, newest first',
    access: 'signed-in',
    response: z.object({ email: z.string(), rows: z.array(customerLicense) }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  license: endpoint({
    method: 'GET',
    path: '/api/customer/licenses/:id',
    summary: 'Return one of your licenses with its history',
    access: 'signed-in',
    params: licenseParams,
    response: z.object({ license: customerLicense, history: licenseHistory }),
    problems: ['UNAUTHENTICATED', 'NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
  requestTransfer: endpoint({
    method: 'PUT',
    path: '/api/customer/licenses/:id/transfer',
    summary: 'Transfer the license to the machine with this HWID, effective once that machine activates',
    access: 'signed-in',
    params: licenseParams,
    body: z.strictObject({
      hwid: pastedHwidSchema,
      /** The id of the pending transfer that this one corrects. */
      replaces: idSchema.nullable().default(null),
    }),
    response: customerLicense,
    problems: ['UNAUTHENTICATED', 'NOT_FOUND', 'TRANSFER_REFUSED', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
  }),
  cancelTransfer: endpoint({
    method: 'DELETE',
    path: '/api/customer/licenses/:id/transfer',
    summary: 'Cancel the pending transfer, at no cost',
    access: 'signed-in',
    params: licenseParams,
    response: customerLicense,
    problems: ['UNAUTHENTICATED', 'NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
  requestRevealCode: endpoint({
    method: 'POST',
    path: '/api/customer/licenses/:id/reveal/code',
    summary: 'Email the code that reveals the license key',
    access: 'signed-in',
    params: licenseParams,
    response: z.object({ expiresInSeconds: z.int() }),
    problems: ['UNAUTHENTICATED', 'NOT_FOUND', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
  }),
  reveal: endpoint({
    method: 'POST',
    path: '/api/customer/licenses/:id/reveal',
    summary: 'Return the license key in exchange for the code from the email',
    access: 'signed-in',
    params: licenseParams,
    body: z.strictObject({ code: oneTimeCode }),
    response: z.object({ licenseKey: licenseKeySchema }),
    problems: ['UNAUTHENTICATED', 'NOT_FOUND', 'WRONG_CREDENTIALS', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/customer/sessions',
    summary: 'List your sessions, most recently used first',
    access: 'signed-in',
    response: z.object({ rows: z.array(customerSession) }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  signOut: endpoint({
    method: 'DELETE',
    path: '/api/customer/sessions/current',
    summary: 'End the current session',
    access: 'signed-in',
    response: z.object({}),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  signOutEverywhere: endpoint({
    method: 'DELETE',
    path: '/api/customer/sessions',
    summary: 'End all your sessions, in browsers and programs, including the current one',
    access: 'signed-in',
    response: z.object({ ended: z.int() }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
} as const;
