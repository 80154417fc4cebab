import { ordersHttp } from '#contracts/store/orders.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { readIdempotencyKey } from '../../kernel/http/idempotency-key.ts';
import type { Orders } from '../orders.ts';

export const bindOrdersRoutes = (routes: ApiRoutes, orders: Orders): void => {
  routes.on(ordersHttp.list, ({ query }) => orders.list(query));
  routes.on(ordersHttp.read, ({ params }) => orders.read(params.id));
  routes.on(ordersHttp.place, ({ body }, by) =>
    orders.place(body, readIdempotencyKey(by.request.headers), by),
  );
  routes.on(ordersHttp.preview, ({ body }, { actor }) => orders.preview(body, actor));
  routes.on(ordersHttp.refund, ({ params, body }, by) => orders.refund(params.id, body.lineIds ?? null, by));
};
