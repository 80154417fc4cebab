import type { IncomingHttpHeaders } from 'node:http';
import { idempotencyKey } from '#contracts/http.ts';
import { ordersHttp } from '#contracts/orders.ts';
import { Problem } from '#runtime/problem.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { demandGranted } from '../http/refusal.ts';
import type { Orders } from './orders.ts';

/** @throws {Problem} IDEMPOTENCY_KEY_INVALID */
const readKey = (headers: IncomingHttpHeaders): string | null => {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  const { data } = idempotencyKey.safeParse(given);
  if (data === undefined) throw new Problem('IDEMPOTENCY_KEY_INVALID');
  return data;
};

export const bindOrdersRoutes = (routes: ApiRoutes, orders: Orders): void => {
  routes.on(ordersHttp.list, ({ query }) => orders.list(query));
  routes.on(ordersHttp.read, async ({ params }) => demandGranted(await orders.read(params.id)));
  routes.on(ordersHttp.place, async ({ body }, by) =>
    demandGranted(await orders.place(body, readKey(by.request.headers), by)),
  );
  routes.on(ordersHttp.preview, async ({ body }, { actor }) =>
    demandGranted(await orders.preview(body, actor)),
  );
  routes.on(ordersHttp.refund, async ({ params, body }, by) =>
    demandGranted(await orders.refund(params.id, body.lineIds ?? null, by)),
  );
};
