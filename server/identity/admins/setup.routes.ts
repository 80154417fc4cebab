import type { Admin } from '#contracts/identity/admins.ts';
import { setupHttp } from '#contracts/operations/setup.ts';
import { isCrossOrigin } from '#runtime/auth/same-origin.ts';
import { Problem } from '#runtime/problem.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { demandGranted, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { IdentityContext } from '../identity-context.ts';
import { underRightsLock } from '../rights-lock.ts';
import { effectivePermissionsOf } from '../roles/effective-permissions.ts';
import { insertAdmin } from './admin-rows.ts';
import { refuseName } from './admin-rules.ts';
import { hasOwner, isSetupToken, withdrawSetupLink } from './setup-link.ts';

interface FirstOwner {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  /** The language of the browser that creates the owner. */
  readonly language?: string | undefined;
  readonly timeZone?: string | undefined;
}

/**
 * Creates the first owner for the holder of the set-up link; of several at the same time, one. Their language and time
 * zone become the community's.
 */
const createFirstOwner = async (
  { db, passwords, suggest }: Pick<IdentityContext, 'db' | 'passwords' | 'suggest'>,
  { token, name, password, language, timeZone }: FirstOwner,
  address: string,
): Promise<Admin | Refusal> => {
  // Before the costly work, which anyone could trigger otherwise; and once more under the lock.
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
    await suggest(trx, { language, timeZone }, { actor, address });
    return admin;
  });
};

export const bindSetupRoutes = (routes: ApiRoutes, context: IdentityContext): void => {
  routes.on(setupHttp.state, async () => ({
    needed: !(await hasOwner(context.db)),
    community: await context.community.face(),
  }));
  routes.on(setupHttp.createOwner, async ({ body }, { address, request }) => {
    if (isCrossOrigin(request) && isCrossOrigin(request, await context.publicAddress()))
      throw new Problem('CROSS_ORIGIN');
    const owner = demandGranted(await createFirstOwner(context, body, address));
    await withdrawSetupLink(context);
    return owner;
  });
};
