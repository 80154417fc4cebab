import type { Kysely } from 'kysely';
import type { Admin } from '#contracts/admins.ts';
import type { PasswordHasher } from '#runtime/password-hash.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import { effectivePermissionsOf } from '../roles/effective-permissions.ts';
import { underRightsLock } from '../roles/rights-lock.ts';
import { insertAdmin } from './admin-rows.ts';
import { refuseName } from './admin-rules.ts';
import { isSetupToken } from './setup-link.ts';

export interface FirstOwner {
  readonly token: string;
  readonly name: string;
  readonly password: string;
}

/** Makes the first owner for whoever holds the set-up link; of several at once, one. */
export const createFirstOwner = async (
  { db, passwords }: { readonly db: Kysely<Tables>; readonly passwords: PasswordHasher },
  { token, name, password }: FirstOwner,
  address: string,
): Promise<Admin | Refusal> => {
  // Before the costly work, for which anybody could ask otherwise; and once more under the lock.
  if (!(await isSetupToken(db, token))) return refuse('SETUP_LINK_INVALID');
  const passwordHash = await passwords.hash(password);
  return underRightsLock(db, async (trx) => {
    if (!(await isSetupToken(trx, token))) return refuse('SETUP_LINK_INVALID');
    const refusal = await refuseName(trx, name, null);
    if (refusal) return refusal;
    const admin = await insertAdmin(trx, { name, passwordHash, role: 'owner', serverGrants: [] });
    const actor = {
      kind: 'admin',
      id: admin.id,
      name,
      ...effectivePermissionsOf({ id: 'owner', permissions: null }, []),
    } as const;
    await recordAudit(trx, {
      actor,
      address,
      action: 'setup.owner',
      target: `admin:${admin.id}`,
      after: admin,
    });
    return admin;
  });
};
