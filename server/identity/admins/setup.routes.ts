import type { CommunityFace } from '#contracts/operations/community.ts';
import { setupHttp } from '#contracts/operations/setup.ts';
import { isCrossOrigin, type ReadPublicAddress } from '#runtime/auth/same-origin.ts';
import { Problem } from '#runtime/problem.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import { createFirstOwner, type FirstOwnerOptions } from './first-owner.ts';
import { hasOwner, type SetupLink } from './setup-link.ts';

interface SetupRoutesOptions extends FirstOwnerOptions {
  readonly setupLink: SetupLink;
  readonly community: () => Promise<CommunityFace>;
  readonly publicAddress: ReadPublicAddress;
}

export const bindSetupRoutes = (
  routes: ApiRoutes,
  { setupLink, community, publicAddress, ...options }: SetupRoutesOptions,
): void => {
  routes.on(setupHttp.state, async () => ({
    needed: !(await hasOwner(options.db)),
    community: await community(),
  }));
  routes.on(setupHttp.createOwner, async ({ body }, { address, request }) => {
    if (isCrossOrigin(request) && isCrossOrigin(request, await publicAddress()))
      throw new Problem('CROSS_ORIGIN');
    const owner = demandGranted(await createFirstOwner(options, body, address));
    await setupLink.withdraw();
    return owner;
  });
};
