import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { newPassword } from '../kernel/person-name.ts';
import { community } from '../operations/community.ts';
import { permissionSchema } from './permissions.ts';

const me = z
  .object({
    kind: z.enum(['admin', 'api-key', 'desktop']),
    id: z.string(),
    name: z.string(),
    permissions: z.array(permissionSchema),
    /** Permissions granted for single servers only, by server id. */
    serverPermissions: z.record(z.string(), z.array(permissionSchema)),
    /** The signed-in admin's account; null for API keys and the desktop. */
    account: z
      .object({
        role: z.string().nullable(),
        sessionId: z.string(),
        totp: z.enum(['off', 'pending', 'on']),
        recoveryCodesLeft: z.int(),
      })
      .nullable(),
    community,
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof me>;

/** Shown only once. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
const password = z.string().max(1000);

/** How long a step-up holds, for the session that made it. */
export const stepUpMinutes = 10;

const refusals = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'CROSS_ORIGIN',
  'WRONG_CREDENTIALS',
  'RATE_LIMITED',
] as const;

/** The caller's own account. */
export const accountHttp = {
  me: endpoint({
    method: 'GET',
    path: '/api/me',
    summary: 'Return your account and permissions',
    access: 'signed-in',
    response: me,
    problems: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  stepUp: endpoint({
    method: 'POST',
    path: '/api/me/step-up',
    summary:
      'Step up with your password or a second-factor code: sensitive actions stay unlocked for 10 minutes',
    access: 'session',
    proof: 'person',
    /** One of the two is required. */
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
    summary: 'Change your password and end all your other sessions',
    access: 'session',
    proof: 'person',
    body: z.strictObject({ currentPassword: password, newPassword }),
    response: z.object({}),
    problems: refusals,
  }),
  enrolTotp: endpoint({
    method: 'POST',
    path: '/api/me/totp',
    summary:
      'Start setting up two-step sign-in: returns a secret for the authenticator app, active once confirmed with a code',
    access: 'session',
    proof: 'person',
    body: z.strictObject({ password }),
    /** Shown only once. */
    response: z.object({ secret: z.string(), uri: z.string() }),
    problems: [...refusals, 'TOTP_STATE'],
  }),
  confirmTotp: endpoint({
    method: 'POST',
    path: '/api/me/totp/confirm',
    summary: 'Turn on two-step sign-in with a code from the authenticator app; returns the recovery codes',
    access: 'session',
    proof: 'person',
    body: z.strictObject({ code: z.string().max(50) }),
    response: recoveryCodes,
    problems: [...refusals, 'TOTP_STATE', 'SECRET_UNREADABLE'],
  }),
  disableTotp: endpoint({
    method: 'POST',
    path: '/api/me/totp/disable',
    summary: 'Turn off two-step sign-in, with the password or after a step-up',
    access: 'session',
    proof: 'step-up-by-case',
    body: z.strictObject({ password: password.optional() }),
    response: z.object({}),
    problems: [...refusals, 'TOTP_STATE'],
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/me/recovery-codes',
    summary: 'Generate new recovery codes, with the password or after a step-up; the old ones stop working',
    access: 'session',
    proof: 'step-up-by-case',
    body: z.strictObject({ password: password.optional() }),
    response: recoveryCodes,
    problems: [...refusals, 'TOTP_STATE'],
  }),
} as const;
