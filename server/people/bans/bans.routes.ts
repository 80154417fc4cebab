import { bansHttp } from '#contracts/people/bans.ts';
import { Problem } from '#runtime/problem.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { Bans } from './bans.ts';

export const bindBansRoutes = (
  routes: ApiRoutes,
  { reading, write }: Pick<Bans, 'reading' | 'write'>,
): void => {
  const readOne = async (actor: Actor, id: string) => {
    const found = await reading.read(actor, id);
    if (!found) throw new Problem('NOT_FOUND');
    return found;
  };
  routes.on(bansHttp.list, ({ query }, { actor }) => reading.list(actor, query));
  routes.on(bansHttp.read, ({ params }, { actor }) => readOne(actor, params.id));
  routes.on(bansHttp.give, async ({ params, body }, by) =>
    readOne(by.actor, demandGranted(await write.give(params.id, body, by))),
  );
  routes.on(bansHttp.lift, async ({ params }, by) =>
    readOne(by.actor, demandGranted(await write.lift(params.id, by))),
  );
  routes.on(bansHttp.restore, async ({ params }, by) =>
    readOne(by.actor, demandGranted(await write.restore(params.id, by))),
  );
  routes.on(bansHttp.send, async ({ params }, by) =>
    readOne(by.actor, demandGranted(await write.sendAgain(params.id, by))),
  );
};
