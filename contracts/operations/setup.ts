import * as z from 'zod';
import { admin } from '../identity/admins.ts';
import { endpoint } from '../kernel/http.ts';
import { languages } from '../kernel/language.ts';
import { newPassword, personName } from '../kernel/person-name.ts';
import { communityFace } from './community.ts';

/** The panel page of the set-up link; the token follows as `?token=`, all of it in the fragment, which browsers do not send. */
export const setupPagePath = '/setup';

/** In the data folder, until there is an owner: contains the set-up link. */
export const setupLinkFile = 'setup-link.txt';

export const setupHttp = {
  state: endpoint({
    method: 'GET',
    path: '/api/setup',
    summary: 'Return whether an owner exists yet, and which community the panel belongs to',
    access: 'public',
    response: z.object({ needed: z.boolean(), community: communityFace }),
    problems: ['DATABASE_UNAVAILABLE'],
  }),
  createOwner: endpoint({
    method: 'POST',
    path: '/api/setup',
    summary: 'Create the first owner, with the token from the set-up link',
    access: 'public',
    body: z.strictObject({
      token: z.string().max(200),
      name: personName,
      password: newPassword,
      language: z.enum(languages).optional().describe('For the community, unless one is already set'),
      timeZone: z
        .string()
        .max(64)
        .optional()
        .describe('For the community, unless one is already set: an IANA name'),
    }),
    response: admin,
    problems: ['SETUP_LINK_INVALID', 'CROSS_ORIGIN', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
  }),
} as const;
