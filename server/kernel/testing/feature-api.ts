import { permissionNames } from '#contracts/identity/permissions.ts';
import { type Database, openDatabase } from '#runtime/database/pool.ts';
import { listen } from '#runtime/http/listen.ts';
import { answerProblems, nameRequests } from '#runtime/http/problems.ts';
import { createApp } from '#runtime/http/routes.ts';
import { createLog, type Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import type { Actor } from '../access/actor.ts';
import { type ApiRoutes, createApiRoutes } from '../access/authorize.ts';
import type { Tables } from '../database/tables.ts';
import { apiDatabase } from './api-database.ts';

/** Has every permission. */
export const testOwner: Actor = {
  kind: 'admin',
  id: 'owner-1',
  name: 'Owner',
  permissions: new Set(permissionNames),
  serverPermissions: new Map(),
};

export const silentLog: Log = createLog({ component: 'test', level: 'silent' });

export interface MigratedDatabase extends Database<Tables> {
  readonly url: Secret;
}

/** A test's own database, with the API's schema. */
export const migratedDatabase = async (): Promise<MigratedDatabase> => {
  const owned = new AsyncDisposableStack();
  const { url } = owned.use(await apiDatabase());
  const database = owned.use(openDatabase<Tables>({ url, applicationName: 'test', log: silentLog }));
  return { ...database, url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
};

export interface FeatureApi extends AsyncDisposable {
  readonly port: number;
}

/** Serves some routes on their own listener; every caller is the owner, with a recent step-up. */
export const serveFeature = async (
  bind: (routes: ApiRoutes) => void,
  log: Log = silentLog,
): Promise<FeatureApi> => {
  const app = createApp(false);
  app.use(nameRequests);
  bind(createApiRoutes(app, { authorize: () => ({ ...testOwner, steppedUp: true }) }));
  app.use(answerProblems(log));
  return listen({ handler: app, host: '127.0.0.1', port: 0 });
};
