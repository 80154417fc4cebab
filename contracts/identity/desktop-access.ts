import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';

/** How long the desktop of one Windows account may use the API of the services. */
export const desktopAccessDays = 365;

const desktopAccess = z
  .object({
    id: z.string(),
    /** The operating system account whose desktop is admitted. */
    user: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    /** Accurate to the minute. */
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'DesktopAccess' });
export type DesktopAccess = z.infer<typeof desktopAccess>;

/** When Windows runs the stack, each account's desktop signs in with a credential that is not an API key. */
export const desktopAccessHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/desktop-access',
    summary: 'List the accounts of this machine whose desktop has access',
    access: 'admins.read',
    response: z.object({ rows: z.array(desktopAccess) }),
    problems: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/desktop-access',
    summary:
      "Grant access to the desktop of an account, from the machine itself; replaces the account's previous access",
    access: 'admins.write',
    proof: 'step-up',
    body: z.strictObject({ user: z.string().min(1).max(256) }),
    /** Shown only once. */
    response: z.object({ credential: z.string() }),
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'CROSS_ORIGIN'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/desktop-access/:id',
    summary: "Revoke the access of an account's desktop",
    access: 'admins.write',
    proof: 'person',
    params: z.object({ id: z.string().max(64) }),
    response: z.object({}),
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'CROSS_ORIGIN', 'NOT_FOUND'],
  }),
} as const;
