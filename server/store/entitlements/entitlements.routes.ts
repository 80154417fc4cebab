import { entitlementsHttp } from '#contracts/store/entitlements.ts';
import { Problem } from '#runtime/problem.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { Entitlements } from './entitlements.ts';

export const bindEntitlementsRoutes = (
  routes: ApiRoutes,
  { reading, decide }: Pick<Entitlements, 'reading' | 'decide'>,
): void => {
  const readOne = async (id: string) => {
    const found = await reading.read(id);
    if (!found) throw new Problem('NOT_FOUND');
    return found;
  };
  routes.on(entitlementsHttp.ofMember, async ({ params }) => ({ rows: await reading.ofMember(params.id) }));
  routes.on(entitlementsHttp.list, ({ query }) => reading.list(query));
  routes.on(entitlementsHttp.end, async ({ params }, by) =>
    readOne(demandGranted(await decide.end(params.id, by))),
  );
  routes.on(entitlementsHttp.retry, async ({ params }, by) =>
    readOne(demandGranted(await decide.retry(params.id, by))),
  );
  routes.on(entitlementsHttp.done, async ({ params }, by) =>
    readOne(demandGranted(await decide.done(params.id, by))),
  );
};
