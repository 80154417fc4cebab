import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { IdentityContext } from '../identity-context.ts';
import { proveApiKey } from './api-key-credential.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';

export const bindApiKeysRoutes = (
  routes: ApiRoutes,
  context: Pick<IdentityContext, 'db' | 'firstUnknownServer' | 'keysInUse' | 'changes'>,
): void => {
  const { db, keysInUse, changes } = context;
  routes.on(apiKeysHttp.list, async () => ({ rows: await listApiKeys(db) }));
  routes.on(apiKeysHttp.create, ({ body }, by) => createApiKey(context, body, by));
  routes.on(apiKeysHttp.prove, ({ params, query }) => proveApiKey(db, params.id, query.nonce));
  routes.on(apiKeysHttp.revoke, async ({ params }, by) => {
    demandGranted(await revokeApiKey(db, params.id, by));
    changes.announce();
    await keysInUse.ended([params.id], by.request);
    return {};
  });
};
