import { shopWebhooksHttp } from '#contracts/shop-webhooks.ts';
import { shopsHttp } from '#contracts/shops.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { demandGranted } from '../http/refusal.ts';
import type { WithRefusals } from './shop-refusals.ts';
import type { Shops } from './shops.ts';

export const bindShopsRoutes = (
  routes: ApiRoutes,
  { settings, orders, receive }: Shops,
  withRefusals: WithRefusals,
): void => {
  routes.on(shopWebhooksHttp.take, ({ params, body }, { request, address }) =>
    receive(params.shop, { body, address, header: (name) => request.get(name) ?? '' }),
  );

  routes.on(shopsHttp.list, async () => ({ rows: await withRefusals(await settings.list()) }));
  routes.on(shopsHttp.create, async ({ body }, by) => demandGranted(await settings.create(body, by)));
  routes.on(shopsHttp.change, async ({ params, body }, by) =>
    demandGranted(await settings.change(params.id, body, by)),
  );
  routes.on(shopsHttp.setProducts, async ({ params, body }, by) =>
    demandGranted(await settings.setProducts(params.id, body, by)),
  );
  routes.on(shopsHttp.addSecret, async ({ params, body }, by) =>
    demandGranted(await settings.addSecret(params.id, body.secret, by)),
  );
  routes.on(shopsHttp.removeSecret, async ({ params }, by) =>
    demandGranted(await settings.removeSecret(params.id, params.secretId, by)),
  );
  routes.on(shopsHttp.remove, async ({ params }, by) => demandGranted(await settings.remove(params.id, by)));

  routes.on(shopsHttp.orders, ({ query }) => orders.list(query));
  routes.on(shopsHttp.assign, async ({ params, body }, by) =>
    demandGranted(await orders.assign(params.id, body, by)),
  );
  routes.on(shopsHttp.give, async ({ params, body }, by) =>
    demandGranted(await orders.give(params.id, body.version, by)),
  );
  routes.on(shopsHttp.retry, async ({ params, body }, by) =>
    demandGranted(await orders.retry(params.id, body.version, by)),
  );
  routes.on(shopsHttp.dismiss, async ({ params, body }, by) =>
    demandGranted(await orders.dismiss(params.id, body.version, by)),
  );
};
