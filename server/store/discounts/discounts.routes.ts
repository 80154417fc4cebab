import { type Discount, discountsHttp } from '#contracts/store/discounts.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { Discounts } from './discounts.ts';

export const bindDiscountsRoutes = (routes: ApiRoutes, discounts: Discounts): void => {
  routes.on(discountsHttp.list, async ({ query }, { actor }) => {
    const { rows, nextCursor } = await discounts.list(query);
    return { rows: rows.map((discount) => discountFor(actor, discount)), nextCursor };
  });
  routes.on(discountsHttp.read, async ({ params }, { actor }) =>
    discountFor(actor, demandGranted(await discounts.read(params.id))),
  );
  routes.on(discountsHttp.create, ({ body }, by) => discounts.create(body, by));
  routes.on(discountsHttp.change, ({ params, body }, by) => discounts.change(params.id, body, by));
  routes.on(discountsHttp.remove, ({ params }, by) => discounts.remove(params.id, by));
};

/** An actor who may not create a discount does not learn its code either. */
const discountFor = (actor: Actor, discount: Discount): Discount =>
  may(actor, 'store.write') ? discount : { ...discount, code: null };
