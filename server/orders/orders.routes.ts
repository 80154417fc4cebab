import { ordersHttp } from '#contracts/orders.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { demandGranted } from '../http/refusal.ts';
import type { Orders } from './orders.ts';

export const bindOrdersRoutes = (routes: ApiRoutes, orders: Orders): void => {
  routes.on(ordersHttp.list, ({ query }) => orders.list(query));
  routes.on(ordersHttp.read, async ({ params }) => demandGranted(await orders.read(params.id)));
  routes.on(ordersHttp.place, async ({ body }, by) =>
    demandGranted(await orders.place(body, readIdempotencyKey(by.request.headers), by)),
  );
  routes.on(ordersHttp.preview, async ({ body }, { actor }) =>
    demandGranted(await orders.preview(body, actor)),
  );
  routes.on(ordersHttp.refund, async ({ params, body }, by) =>
    demandGranted(await orders.refund(params.id, body.lineIds ?? null, by)),
  );
};
