import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import type { AccessChanges } from '../../kernel/access/access-changes.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { ApiKeys } from './api-keys.ts';
import type { KeysInUse } from './keys-in-use.ts';

export const bindApiKeysRoutes = (
  routes: ApiRoutes,
  {
    apiKeys,
    inUse,
    changes,
  }: { readonly apiKeys: ApiKeys; readonly inUse: KeysInUse; readonly changes: AccessChanges },
): void => {
  routes.on(apiKeysHttp.list, async () => ({ rows: await apiKeys.list() }));
  routes.on(apiKeysHttp.create, ({ body }, by) => apiKeys.create(body, by));
  routes.on(apiKeysHttp.prove, ({ params, query }) => apiKeys.prove(params.id, query.nonce));
  routes.on(apiKeysHttp.revoke, async ({ params }, by) => {
    demandGranted(await apiKeys.revoke(params.id, by));
    changes.announce();
    await inUse.ended([params.id], by.request);
    return {};
  });
};
