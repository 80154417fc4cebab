import { product } from '#contracts/kernel/product.ts';
import { portalHttp } from '#contracts/portal/portal.ts';
import { version } from '#runtime/version.ts';
import type { PortalRoutes } from '../portal-routes.ts';

/** Created at the first request: few portals are ever asked, and the library that creates it is large. */
export const openApiRoutes = (routes: PortalRoutes): void => {
  let document: Promise<Readonly<Record<string, unknown>>> | undefined;
  const make = async () => {
    const { openApiDocument } = await import('#runtime/http/openapi.ts');
    return openApiDocument({
      title: `${product.name} license portal`,
      version,
      description:
        'Issues and renews licenses, and lets customers and shops manage theirs. Every response other than 2xx is a problem document (RFC 9457).',
      endpoints: routes.endpoints,
      commonProblems: ['DATABASE_UNAVAILABLE'],
    });
  };
  routes.on(portalHttp.openApi, () => {
    document ??= make();
    return document;
  });
};
