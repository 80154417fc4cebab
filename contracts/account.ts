import * as z from 'zod';
import { endpoint } from './http.ts';
import { permissionSchema } from './permissions.ts';
import { newPassword } from './person-name.ts';

const me = z
  .object({
    kind: z.enum(['admin', 'api-key', 'desktop']),
    id: z.string(),
    name: z.string(),
    permissions: z.array(permissionSchema),
    /** What is held for single servers alone, by server id. */
    serverPermissions: z.record(z.string(), z.array(permissionSchema)),
    /** Of an admin who has signed in; null for API keys and the desktop. */
    account: z
      .object({
        role: z.string().nullable(),
        sessionId: z.string(),
        totp: z.enum(['off', 'pending', 'on']),
        recoveryCodesLeft: z.int(),
      })
      .nullable(),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof me>;

/** Shown this once. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
const password = z.string().max(1000);

/** How long a step-up holds for the session that made it. */
export const stepUpMinutes = 10;

const refusals = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'CROSS_ORIGIN',
  'WRONG_CREDENTIALS',
  'RATE_LIMITED',
] as const;

/** One's own account. */
export const accountHttp = {
  me: endpoint({
    method: 'GET',
    path: '/api/me',
    summary: 'Who you are and what you may do',
    access: 'signed-in',
    response: me,
    problems: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  stepUp: endpoint({
    method: 'POST',
    path: '/api/me/step-up',
    summary:
      'Show your password, or a code of your second factor, again: acts that need it are open for 10 minutes',
    access: 'session',
    proof: 'person',
    /** One of the two. */
    body: z
      .strictObject({ password: password.optional(), code: z.string().max(50).optional() })
      .refine((shown) => (shown.password === undefined) !== (shown.code === undefined), {
        error: 'must hold either the password or a code',
      }),
    response: z.object({ until: z.iso.datetime() }),
    problems: [...refusals, 'TOTP_STATE', 'SECRET_UNREADABLE'],
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/me/password',
    summary: 'Change your password, and end all of your other sessions',
    access: 'session',
    proof: 'person',
    body: z.strictObject({ currentPassword: password, newPassword }),
    response: z.object({}),
    problems: refusals,
  }),
  enrolTotp: endpoint({
    method: 'POST',
    path: '/api/me/totp',
    summary: 'Begin two-step sign-in: a secret for the authenticator, in force once confirmed by a code',
    access: 'session',
    proof: 'person',
    body: z.strictObject({ password }),
    /** Shown this once. */
    response: z.object({ secret: z.string(), uri: z.string() }),
    problems: [...refusals, 'TOTP_STATE'],
  }),
  confirmTotp: endpoint({
    method: 'POST',
    path: '/api/me/totp/confirm',
    summary: 'Turn two-step sign-in on with a code from the authenticator; gives the recovery codes',
    access: 'session',
    proof: 'person',
    body: z.strictObject({ code: z.string().max(50) }),
    response: recoveryCodes,
    problems: [...refusals, 'TOTP_STATE', 'SECRET_UNREADABLE'],
  }),
  disableTotp: endpoint({
    method: 'POST',
    path: '/api/me/totp/disable',
    summary: 'Turn two-step sign-in off; with the password, or after a step-up',
    access: 'session',
    proof: 'step-up-by-case',
    body: z.strictObject({ password: password.optional() }),
    response: z.object({}),
    problems: [...refusals, 'TOTP_STATE'],
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/me/recovery-codes',
    summary:
      'New recovery codes, with the password or after a step-up; the old ones are worth nothing from then on',
    access: 'session',
    proof: 'step-up-by-case',
    body: z.strictObject({ password: password.optional() }),
    response: recoveryCodes,
    problems: [...refusals, 'TOTP_STATE'],
  }),
} as const;
