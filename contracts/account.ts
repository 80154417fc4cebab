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
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/me/password',
    summary: 'Change your password, and end all of your other sessions',
    access: 'session',
    body: z.strictObject({ currentPassword: password, newPassword }),
    response: z.object({}),
    problems: refusals,
  }),
  enrolTotp: endpoint({
    method: 'POST',
    path: '/api/me/totp',
    summary: 'Begin two-step sign-in: a secret for the authenticator, in force once confirmed by a code',
    access: 'session',
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
    body: z.strictObject({ code: z.string().max(50) }),
    response: recoveryCodes,
    problems: [...refusals, 'TOTP_STATE', 'SECRET_UNREADABLE'],
  }),
  disableTotp: endpoint({
    method: 'POST',
    path: '/api/me/totp/disable',
    summary: 'Turn two-step sign-in off',
    access: 'session',
    body: z.strictObject({ password }),
    response: z.object({}),
    problems: [...refusals, 'TOTP_STATE'],
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/me/recovery-codes',
    summary: 'New recovery codes; the old ones are worth nothing from then on',
    access: 'session',
    body: z.strictObject({ password }),
    response: recoveryCodes,
    problems: [...refusals, 'TOTP_STATE'],
  }),
} as const;
