import { licensesHttp } from '#contracts/licenses.ts';
import type { PortalRoutes } from '../portal-routes.ts';
import type { KeyRing } from './key-ring.ts';

export const signingKeyRoutes = (routes: PortalRoutes, { jwks }: KeyRing): void => {
  routes.on(licensesHttp.jwks, () => jwks);
};
