import * as z from 'zod';
import { admin } from './admins.ts';
import { endpoint } from './http.ts';
import { newPassword, personName } from './person-name.ts';

/** Where in the panel the set-up link leads; the token follows as `?token=`, all of it in the fragment, which browsers keep to themselves. */
export const setupPagePath = '/setup';

/** In the home folder, while there is no owner: holds the set-up link. */
export const setupLinkFile = 'setup-link.txt';

export const setupHttp = {
  state: endpoint({
    method: 'GET',
    path: '/api/setup',
    summary: 'Whether there is an owner yet',
    access: 'public',
    response: z.object({ needed: z.boolean() }),
    problems: ['DATABASE_UNAVAILABLE'],
  }),
  createOwner: endpoint({
    method: 'POST',
    path: '/api/setup',
    summary: 'Make the first owner, with the token of the set-up link',
    access: 'public',
    body: z.strictObject({ token: z.string().max(200), name: personName, password: newPassword }),
    response: admin,
    problems: ['SETUP_LINK_INVALID', 'CROSS_ORIGIN', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
  }),
} as const;
