import type { Kysely } from 'kysely';
import { setupHttp } from '#contracts/setup.ts';
import { isCrossOrigin } from '#runtime/auth/same-origin.ts';
import type { PasswordHasher } from '#runtime/password-hash.ts';
import { Problem } from '#runtime/problem.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import type { Tables } from '../database/tables.ts';
import { demandGranted } from '../http/refusal.ts';
import { createFirstOwner } from './first-owner.ts';
import { hasOwner, type SetupLink } from './setup-link.ts';

export interface SetupRoutesOptions {
  readonly db: Kysely<Tables>;
  readonly passwords: PasswordHasher;
  readonly setupLink: SetupLink;
}

export const bindSetupRoutes = (
  routes: ApiRoutes,
  { db, passwords, setupLink }: SetupRoutesOptions,
): void => {
  routes.on(setupHttp.state, async () => ({ needed: !(await hasOwner(db)) }));
  routes.on(setupHttp.createOwner, async ({ body }, { address, request }) => {
    if (isCrossOrigin(request)) throw new Problem('CROSS_ORIGIN');
    const owner = demandGranted(await createFirstOwner({ db, passwords }, body, address));
    await setupLink.withdraw();
    return owner;
  });
};
