import { type Kysely, sql } from 'kysely';
import { builtInRoles } from '#contracts/identity/permissions.ts';
import { isToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import { readDesktopCredential } from '#runtime/desktop-confirmation.ts';
import type { LocalOwner } from '#runtime/program.ts';
import type { Actor } from '../kernel/access/actor.ts';
import type { Authenticate } from '../kernel/access/authorize.ts';
import { isConfirmed } from '../kernel/access/step-up.ts';
import type { Tables } from '../kernel/database/tables.ts';

/** The owner of this machine, by the credential that the supervisor created at its start and told only the API. */
export const authenticateDesktop =
  (localOwner: () => LocalOwner | null): Authenticate =>
  ({ bearer, request }) => {
    const owner = localOwner();
    if (!owner || bearer === null) return null;
    const digest = tokenDigest(owner.credential.reveal());
    return isToken(bearer, digest)
      ? { ...desktopActor(owner.user), steppedUp: isConfirmed(request, digest) }
      : null;
  };

/** The desktop of one account, if Windows runs the stack: by the credential that this account keeps. */
export const authenticateKeptDesktop =
  (db: Kysely<Tables>): Authenticate =>
  async ({ bearer, request }) => {
    const shown = readDesktopCredential(bearer ?? '');
    if (!shown) return null;
    const access = await findDesktopAccess(db, shown.id);
    if (!access || !isToken(shown.secret, access.secret_hash)) return null;
    if (access.isUseDue) await noteUse(db, access.id);
    return { ...keptActor(access), steppedUp: isConfirmed(request, access.secret_hash) };
  };

/** Null when it was revoked or has expired. */
export const findDesktopAccess = (db: Kysely<Tables>, id: string) =>
  db
    .selectFrom('desktop_access')
    .select(['id', 'account', 'secret_hash'])
    .select(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as('isUseDue'))
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(standsAsKey)
    .executeTakeFirst();

/** After a return to the previous version, that version may have revoked what it created. */
export const standsAsKey = sql<boolean>`(not was_api_key
  or exists (select 1 from api_keys where api_keys.id = desktop_access.id))`;

/** A desktop with its current permissions; the confirmation that came with the request stays. */
export const refreshDesktop = async (db: Kysely<Tables>, actor: Actor): Promise<Actor | null> => {
  if (actor.desktopAccessId === undefined) return actor;
  const access = await findDesktopAccess(db, actor.desktopAccessId);
  return access ? { ...keptActor(access), steppedUp: actor.steppedUp === true } : null;
};

/** At most once a minute. */
const noteUse = async (db: Kysely<Tables>, id: string): Promise<void> => {
  await db
    .updateTable('desktop_access')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
};

const keptActor = ({ id, account }: { readonly id: string; readonly account: string }): Actor => ({
  ...desktopActor(account),
  desktopAccessId: id,
});

/** The owner of this machine, no matter how they signed in. */
export const desktopActor = (user: string): Actor => ({
  kind: 'desktop',
  id: user,
  name: `${user} on this machine`,
  permissions: new Set(builtInRoles.owner),
  serverPermissions: new Map(),
  isOwner: true,
});
