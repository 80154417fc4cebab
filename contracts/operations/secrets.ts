import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';

/**
 * Why a stored secret cannot be read.
 * - `unknown-key`: it is sealed with a key that is neither in `.env` nor in the key record beside it
 * - `damaged`: it was changed, cut, or moved from another place
 */
export const secretFaults = ['unknown-key', 'damaged'] as const;
export type SecretFault = (typeof secretFaults)[number];

const count = z.int().nonnegative();

export const secretsStatus = z
  .object({
    /** The id of the key that seals: the first 8 hex digits of its SHA-256. */
    currentKeyId: z.string(),
    total: count,
    /** Every key that is configured or that a secret names. */
    keys: z.array(
      z.object({
        keyId: z.string(),
        /** `current` seals and opens, `previous` only opens, `unknown` is not configured. */
        state: z.enum(['current', 'previous', 'unknown']),
        /** Secrets that name this key, readable or not. */
        count,
        /** When it was replaced; absent where that is not known, and for the one in use. */
        replacedAt: z.iso.datetime().optional(),
      }),
    ),
    /** Sealed with an unknown key. */
    unreadable: count,
    damaged: count,
    /** The first of those that cannot be read, so that people can find them. */
    faults: z.array(z.object({ secret: z.string(), fault: z.enum(secretFaults) })).max(100),
    /** The newest run that seals everything again with the current key; null if none was ever requested. */
    reencryption: z
      .object({
        state: z.enum(['waiting', 'running', 'done']),
        requestedAt: z.iso.datetime(),
        endedAt: z.iso.datetime().nullable(),
        /** Known once it runs. */
        total: count.nullable(),
        done: count,
        /** Left unchanged, because they cannot be read. */
        failed: count,
      })
      .nullable(),
  })
  .meta({ id: 'SecretsStatus' });
export type SecretsStatus = z.infer<typeof secretsStatus>;

export const secretsHttp = {
  status: endpoint({
    method: 'GET',
    path: '/api/secrets',
    summary: 'Return how many secrets use which key, and the progress of re-encryption',
    access: 'secrets.read',
    response: secretsStatus,
  }),
  reencrypt: endpoint({
    method: 'POST',
    path: '/api/secrets/reencrypt',
    summary: 'Re-encrypt all secrets with the current key, in the background; a run in progress continues',
    access: 'secrets.write',
    response: secretsStatus,
  }),
} as const;
