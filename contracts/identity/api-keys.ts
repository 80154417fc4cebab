import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { personName } from '../kernel/person-name.ts';
import { permissionSchema } from './permissions.ts';

export const apiKeyMaxDays = 365;

const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    /** As granted; permissions that its creator has lost since are not in force. */
    permissions: z.array(permissionSchema),
    /** The permissions on servers are limited to these; null: all servers that its creator may use. */
    serverIds: z.array(z.string()).nullable(),
    /** Null: the desktop or the command line on this machine. */
    creatorId: z.string().nullable(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    /** Accurate to the minute. */
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
    summary: 'List all API keys, newest first',
    access: 'api-keys.read',
    response: z.object({ rows: z.array(apiKey) }),
    problems: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/api-keys',
    summary: 'Create an API key with at most your own permissions',
    access: 'api-keys.write',
    proof: 'step-up',
    body: newApiKey,
    /** `key` is shown only once. */
    response: z.object({ key: z.string(), apiKey }),
    problems: changing,
  }),
  /** Lets a client verify that it talks to this API before it sends a key. */
  prove: endpoint({
    method: 'GET',
    path: '/api/api-keys/:id/proof',
    summary: 'Prove to the holder of an API key that this API knows the key',
    access: 'public',
    params: z.object({ id: z.string().max(64) }),
    query: z.object({ nonce: z.string().regex(/^[\w-]{22,64}$/) }),
    /** HMAC-SHA-256, keyed with the digest of the key's secret. */
    response: z.object({ proof: z.string() }),
    problems: ['UNAUTHENTICATED'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/api-keys/:id',
    summary: 'Revoke an API key, immediately and permanently',
    access: 'api-keys.write',
    proof: 'any',
    params: z.object({ id: z.string().max(64) }),
    response: z.object({}),
    problems: [...changing, 'NOT_FOUND'],
  }),
} as const;
