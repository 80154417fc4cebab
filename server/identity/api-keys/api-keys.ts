import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { ApiKey, NewApiKey } from '#contracts/identity/api-keys.ts';
import { permissionNames, permissions } from '#contracts/identity/permissions.ts';
import { apiKeyText } from '#runtime/api-key-proof.ts';
import { newSecretText, tokenDigest } from '#runtime/auth/secret-token.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { refuseBeyond, refuseUnlessOwner } from '../escalation.ts';
import type { IdentityContext } from '../identity-context.ts';
import { changeRights } from '../rights-lock.ts';
import { isApiKey } from './api-key-credential.ts';

export const listApiKeys = async (db: Kysely<Tables>): Promise<ApiKey[]> => {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .where(isApiKey)
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map(toApiKey);
};

/** Only the hash of `key` is stored. */
export const createApiKey = (
  { db, firstUnknownServer }: Pick<IdentityContext, 'db' | 'firstUnknownServer'>,
  input: NewApiKey,
  asking: AuditContext,
): Promise<{ readonly key: string; readonly apiKey: ApiKey } | Refusal> => {
  const id = createId();
  const secret = newSecretText();
  return changeRights(db, asking, async (trx, by) => {
    const refusal = refuseScope(by.actor, input);
    if (refusal) return refusal;
    const unknown = await firstUnknownServer(trx, input.serverIds ?? []);
    if (unknown !== null)
      return refuse('INVALID_REQUEST', `body.serverIds.${unknown}: there is no such game server.`);
    const row = await trx
      .insertInto('api_keys')
      .values({
        id,
        name: input.name,
        secret_hash: tokenDigest(secret),
        creator_id: by.actor.kind === 'admin' ? by.actor.id : null,
        permissions: [...new Set(input.permissions)],
        server_ids: input.serverIds && [...new Set(input.serverIds)],
        expires_at: sql<Date>`now() + make_interval(days => ${input.expiresInDays})`,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const apiKey = toApiKey(row);
    await recordAudit(trx, { ...by, action: 'api-keys.create', target: `api-key:${id}`, after: apiKey });
    return { key: apiKeyText(id, secret), apiKey };
  });
};

export const revokeApiKey = (
  db: Kysely<Tables>,
  id: string,
  asking: AuditContext,
): Promise<ApiKey | Refusal> =>
  changeRights(db, asking, async (trx, by) => {
    const row = await trx
      .selectFrom('api_keys')
      .leftJoin('admins', 'admins.id', 'api_keys.creator_id')
      .selectAll('api_keys')
      .select('admins.role as creatorRole')
      .where('api_keys.id', '=', id)
      .where(isApiKey)
      .forUpdate('api_keys')
      .executeTakeFirst();
    if (!row) return refuse('NOT_FOUND');
    const isOwners = row.creator_id === null || row.creatorRole === 'owner';
    const refusal = isOwners ? refuseUnlessOwner(by.actor) : null;
    if (refusal) return refusal;
    await trx.deleteFrom('api_keys').where('id', '=', id).execute();
    const before = toApiKey(row);
    await recordAudit(trx, { ...by, action: 'api-keys.revoke', target: `api-key:${id}`, before });
    return before;
  });

/** In the caller's transaction. @returns the ids of the keys that the admin had created */
export const revokeKeysOf = async (trx: Kysely<Tables>, adminId: string): Promise<readonly string[]> => {
  const revoked = await trx
    .deleteFrom('api_keys')
    .where('creator_id', '=', adminId)
    .returning('id')
    .execute();
  return revoked.map(({ id }) => id);
};

/** In the caller's transaction. @returns the ids of the keys that the admin has created */
export const keysOf = async (trx: Kysely<Tables>, adminId: string): Promise<readonly string[]> => {
  const keys = await trx.selectFrom('api_keys').select('id').where('creator_id', '=', adminId).execute();
  return keys.map(({ id }) => id);
};

/** A key for single servers needs no more than the creator's permissions on those. */
const refuseScope = (actor: Actor, { permissions: asked, serverIds }: NewApiKey): Refusal | null => {
  const onServers = serverIds === null ? [] : asked.filter((name) => permissions[name].perServer);
  const everywhere = asked.filter((name) => !onServers.includes(name));
  return refuseBeyond(actor, {
    permissions: new Set(everywhere),
    serverPermissions: new Map((serverIds ?? []).map((id) => [id, new Set(onServers)])),
  });
};

const toApiKey = (row: Selectable<Tables['api_keys']>): ApiKey => ({
  id: row.id,
  name: row.name,
  permissions: permissionNames.filter((name) => row.permissions.includes(name)),
  serverIds: row.server_ids,
  creatorId: row.creator_id,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});
