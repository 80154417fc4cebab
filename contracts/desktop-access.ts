import * as z from 'zod';
import { endpoint } from './http.ts';

/** How long one Windows account's desktop is let in at the API of the services. */
export const desktopAccessDays = 365;

export const desktopAccess = z
  .object({
    id: z.string(),
    /** The account of the operating system whose desktop it lets in. */
    user: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    /** To the minute. */
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'DesktopAccess' });
export type DesktopAccess = z.infer<typeof desktopAccess>;

/** Where Windows runs the stack, the desktop of each account comes in by a credential that is no API key. */
export const desktopAccessHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/desktop-access',
    summary: 'The accounts of this machine whose desktop is let in',
    access: 'admins.read',
    response: z.object({ rows: z.array(desktopAccess) }),
    problems: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/desktop-access',
    summary:
      "Let the desktop of an account in, from the machine itself; it replaces that account's former access",
    access: 'admins.write',
    proof: 'step-up',
    body: z.strictObject({ user: z.string().min(1).max(256) }),
    /** Shown this once. */
    response: z.object({ credential: z.string() }),
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'CROSS_ORIGIN'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/desktop-access/:id',
    summary: 'Let the desktop of an account in no more',
    access: 'admins.write',
    proof: 'person',
    params: z.object({ id: z.string().max(64) }),
    response: z.object({}),
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'CROSS_ORIGIN', 'NOT_FOUND'],
  }),
} as const;
