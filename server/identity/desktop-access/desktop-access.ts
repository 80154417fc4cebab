import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql } from 'kysely';
import {
  type DesktopAccess,
  desktopAccessDays,
  desktopAccessHttp,
} from '#contracts/identity/desktop-access.ts';
import { newSecretText, tokenDigest } from '#runtime/auth/secret-token.ts';
import { desktopCredentialText } from '#runtime/desktop-confirmation.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { demandGranted, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { standsAsKey } from '../desktop-credential.ts';
import { refuseUnlessOwner } from '../escalation.ts';
import type { IdentityContext } from '../identity-context.ts';
import { changeRights } from '../rights-lock.ts';

/** As much of the account as the previous version put into a key's name. */
const accountInKeyName = (user: string): string => [...user].slice(0, 50).join('');

/** Which of this machine's accounts sign in to the services' API through their desktop. */
const listDesktopAccesses = async (db: Kysely<Tables>): Promise<DesktopAccess[]> => {
  const rows = await db
    .selectFrom('desktop_access')
    .selectAll()
    .where(standsAsKey)
    .orderBy('account')
    .execute();
  return rows.map(toDesktopAccess);
};

/** @returns the credential; only its hash is stored */
const createDesktopAccess = async (
  db: Kysely<Tables>,
  user: string,
  asking: AuditContext,
): Promise<string | Refusal> => {
  // A session must not become a credential that outlives its password.
  if (asking.actor.kind !== 'desktop') return refuse('FORBIDDEN', 'This is for the machine itself.');
  const id = createId();
  const secret = newSecretText();
  return changeRights(db, asking, async (trx, by) => {
    const replaced = await trx
      .selectFrom('desktop_access')
      .select('id')
      .where((of) =>
        of.or([
          of('account', '=', user),
          of.and([of('was_api_key', '=', true), of('account', '=', accountInKeyName(user))]),
        ]),
      )
      .execute();
    await forget(
      trx,
      replaced.map((row) => row.id),
    );
    await trx
      .insertInto('desktop_access')
      .values({
        id,
        account: user,
        secret_hash: tokenDigest(secret),
        expires_at: sql<Date>`now() + make_interval(days => ${desktopAccessDays})`,
      })
      .execute();
    const target = `desktop-access:${id}`;
    await recordAudit(trx, { ...by, action: 'desktop-access.create', target, after: { user } });
    return desktopCredentialText(id, secret);
  });
};

const revokeDesktopAccess = (
  db: Kysely<Tables>,
  id: string,
  asking: AuditContext,
): Promise<DesktopAccess | Refusal> =>
  changeRights(db, asking, async (trx, by) => {
    const refusal = refuseUnlessOwner(by.actor);
    if (refusal) return refusal;
    const row = await trx.selectFrom('desktop_access').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return refuse('NOT_FOUND');
    await forget(trx, [id]);
    const target = `desktop-access:${id}`;
    const before = { user: row.account };
    await recordAudit(trx, { ...by, action: 'desktop-access.revoke', target, before });
    return toDesktopAccess(row);
  });

/** Together with the API key of the same id that the previous version created for it: alone, it would be a key again. */
const forget = async (trx: Kysely<Tables>, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await trx.deleteFrom('desktop_access').where('id', 'in', ids).execute();
  await trx.deleteFrom('api_keys').where('id', 'in', ids).execute();
};

const toDesktopAccess = (row: Selectable<Tables['desktop_access']>): DesktopAccess => ({
  id: row.id,
  user: row.account,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});

export const bindDesktopAccessRoutes = (
  routes: ApiRoutes,
  { db, changes }: Pick<IdentityContext, 'db' | 'changes'>,
): void => {
  routes.on(desktopAccessHttp.list, async () => ({ rows: await listDesktopAccesses(db) }));
  routes.on(desktopAccessHttp.create, async ({ body }, by) => {
    const credential = demandGranted(await createDesktopAccess(db, body.user, by));
    changes.announce();
    return { credential };
  });
  routes.on(desktopAccessHttp.revoke, async ({ params }, by) => {
    demandGranted(await revokeDesktopAccess(db, params.id, by));
    changes.announce();
    return {};
  });
};
