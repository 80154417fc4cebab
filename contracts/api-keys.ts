import * as z from 'zod';
import { endpoint } from './http.ts';
import { permissionSchema } from './permissions.ts';
import { personName } from './person-name.ts';

export const apiKeyMaxDays = 365;

export const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    /** As granted; what its creator has lost since is not in force. */
    permissions: z.array(permissionSchema),
    /** Permissions on servers hold for these alone; null: for all that its creator may use. */
    serverIds: z.array(z.string()).nullable(),
    /** Who made it; null: the desktop or the command line on this machine. */
    creatorId: z.string().nullable(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    /** To the minute. */
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof apiKey>;

const newApiKey = z.strictObject({
  name: personName,
  permissions: z.array(permissionSchema).min(1).max(200),
  serverIds: z.array(z.string().min(1).max(64)).min(1).max(1000).nullable().default(null),
  expiresInDays: z.int().min(1).max(apiKeyMaxDays),
});
export type NewApiKey = z.output<typeof newApiKey>;

const changing = ['UNAUTHENTICATED', 'FORBIDDEN', 'CROSS_ORIGIN'] as const;

export const apiKeysHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/api-keys',
    summary: 'All API keys, the newest first',
    access: 'api-keys.read',
    response: z.object({ rows: z.array(apiKey) }),
    problems: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/api-keys',
    summary: 'Make an API key that may do at most what you may',
    access: 'api-keys.write',
    proof: 'step-up',
    body: newApiKey,
    /** `key` is shown this once. */
    response: z.object({ key: z.string(), apiKey }),
    problems: changing,
  }),
  /** For those who have to know that they speak to this API before they show it a key. */
  prove: endpoint({
    method: 'GET',
    path: '/api/api-keys/:id/proof',
    summary: 'Proves to the holder of an API key that this is the API that knows it',
    access: 'public',
    params: z.object({ id: z.string().max(64) }),
    query: z.object({ nonce: z.string().regex(/^[\w-]{22,64}$/) }),
    /** HMAC-SHA-256 under the digest of the key's secret. */
    response: z.object({ proof: z.string() }),
    problems: ['UNAUTHENTICATED'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/api-keys/:id',
    summary: 'Revoke an API key, at once and for good',
    access: 'api-keys.write',
    proof: 'any',
    params: z.object({ id: z.string().max(64) }),
    response: z.object({}),
    problems: [...changing, 'NOT_FOUND'],
  }),
} as const;
