import { keySuccessionHttp } from '#contracts/license/key-succession.ts';
import { licensesHttp } from '#contracts/license/licenses.ts';
import type { RequestContext } from '#runtime/http/routes.ts';
import type { PortalRoutes } from '../portal-routes.ts';
import type { KeyRing } from './key-ring.ts';

/** Much shorter than a key is published before it signs. */
const cacheSeconds = 300;

const cacheable = ({ request }: RequestContext<null>): void => {
  request.res?.set('Cache-Control', `public, max-age=${cacheSeconds}`);
};

export const signingKeyRoutes = (routes: PortalRoutes, keyRing: KeyRing): void => {
  routes.on(licensesHttp.jwks, (_input, context) => {
    cacheable(context);
    return keyRing.jwks;
  });
  routes.on(keySuccessionHttp.succession, (_input, context) => {
    cacheable(context);
    return keyRing.succession;
  });
};
