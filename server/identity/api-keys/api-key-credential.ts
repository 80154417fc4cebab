import { type Kysely, sql } from 'kysely';
import { builtInRoles, type Permission, permissions } from '#contracts/identity/permissions.ts';
import { keyProof, readApiKey } from '#runtime/api-key-proof.ts';
import { isToken } from '#runtime/auth/secret-token.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Authenticate } from '../../kernel/access/authorize.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { effectivePermissionsOfAdmin, enabledAdmins } from '../admins-with-grants.ts';
import { findDesktopAccess } from '../desktop-credential.ts';
import type { EffectivePermissions } from '../roles/effective-permissions.ts';
import type { KeysInUse } from './keys-in-use.ts';

/** Accepts an API key as the bearer. */
export const authenticateApiKey =
  (db: Kysely<Tables>, inUse: KeysInUse): Authenticate =>
  async ({ bearer, request }) => {
    const shown = readApiKey(bearer ?? '');
    if (shown === null) return null;
    inUse.begin(shown.id, request);
    const key = await findKey(db, shown.id);
    if (!key || !isToken(shown.secret, key.secretHash)) return null;
    if (key.isUseDue) await noteUse(db, shown.id);
    return key.actor;
  };

/** The key with its current permissions; null when it was revoked, has expired, or its creator may not sign in any more. */
export const actorOfApiKey = async (db: Kysely<Tables>, id: string): Promise<Actor | null> =>
  (await findKey(db, id))?.actor ?? null;

/**
 * Lets a client check, before it sends its secret, that this is its server: only the server knows the secret's hash. Refused when
 * the id belongs to no valid key and no desktop.
 */
export const proveApiKey = async (
  db: Kysely<Tables>,
  id: string,
  nonce: string,
): Promise<{ readonly proof: string } | Refusal> => {
  const secretHash = (await findDesktopAccess(db, id))?.secret_hash ?? (await findKey(db, id))?.secretHash;
  return secretHash ? { proof: keyProof(secretHash, nonce) } : refuse('UNAUTHENTICATED');
};

const findKey = async (db: Kysely<Tables>, id: string) => {
  const key = await db
    .selectFrom('api_keys')
    .selectAll()
    // A busy key is written at most once a minute.
    .select(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as('isUseDue'))
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(isApiKey)
    .executeTakeFirst();
  if (!key) return null;
  const creator = await powersOfCreator(db, key.creator_id);
  if (!creator) return null;
  const { isOwner } = creator;
  const actor: Actor = { kind: 'api-key', id, name: key.name, isOwner, ...narrow(creator.powers, key) };
  return { actor, secretHash: key.secret_hash, isUseDue: key.isUseDue };
};

const ownerPowers: EffectivePermissions = {
  permissions: new Set(builtInRoles.owner),
  serverPermissions: new Map(),
};

/**
 * A key without a creator was made on this machine itself, by a person who has all rights there. No key ever loses its creator:
 * those of an admin are deleted with the admin.
 */
const powersOfCreator = async (db: Kysely<Tables>, creatorId: string | null) => {
  if (creatorId === null) return { powers: ownerPowers, isOwner: true };
  const admin = await enabledAdmins(db).where('admins.id', '=', creatorId).executeTakeFirst();
  return admin ? { powers: effectivePermissionsOfAdmin(admin), isOwner: admin.role === 'owner' } : null;
};

/** The previous version keeps desktops' credentials here as well; they are not keys. */
export const isApiKey = sql<boolean>`not exists (select 1 from desktop_access where desktop_access.id = api_keys.id)`;

/** The part of its creator's permissions that a key has: never more than either, at any time. */
export const narrow = (
  creator: EffectivePermissions,
  key: {
    readonly permissions: readonly string[];
    readonly server_ids: readonly string[] | null;
  },
): EffectivePermissions => {
  const named = (name: Permission) => key.permissions.includes(name);
  const everywhere = [...creator.permissions].filter(named);
  const onServer = (serverId: string) => {
    const ofCreator = [...everywhere, ...(creator.serverPermissions.get(serverId) ?? [])];
    return new Set(ofCreator.filter((name) => named(name) && permissions[name].perServer));
  };
  if (key.server_ids === null)
    return {
      permissions: new Set(everywhere),
      serverPermissions: new Map([...creator.serverPermissions.keys()].map((id) => [id, onServer(id)])),
    };
  return {
    permissions: new Set(everywhere.filter((name) => !permissions[name].perServer)),
    serverPermissions: new Map(key.server_ids.map((id) => [id, onServer(id)])),
  };
};

const noteUse = async (db: Kysely<Tables>, id: string): Promise<void> => {
  await db.updateTable('api_keys').set({ last_used_at: sql<Date>`now()` }).where('id', '=', id).execute();
};
