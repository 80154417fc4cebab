import { product } from '#contracts/kernel/product.ts';
import { licenseFaults } from '#contracts/license/license-state.ts';
import { observabilityHttp } from '#contracts/operations/observability.ts';
import { version } from '#runtime/version.ts';
import type { ApiRoutes } from '../access/authorize.ts';

/** Generated on the first request: hardly any start of the stack needs it, or the library that generates it. */
export const bindOpenApiRoutes = (routes: ApiRoutes): void => {
  let document: Promise<Readonly<Record<string, unknown>>> | undefined;
  const make = async () => {
    const { openApiDocument } = await import('#runtime/http/openapi.ts');
    return openApiDocument({
      title: `${product.name} API`,
      version,
      description:
        'The local API of an installation. While its license is missing or rejected, every request returns 403 with the reason.',
      endpoints: routes.endpoints,
      commonProblems: licenseFaults,
    });
  };
  routes.on(observabilityHttp.openApi, () => {
    document ??= make();
    return document;
  });
};
