import { shopWebhooksHttp } from '#contracts/storefronts/shop-webhooks.ts';
import { shopsHttp } from '#contracts/storefronts/shops.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { StorefrontContext } from '../storefront-context.ts';
import { sendTestEvent } from './send-test-event.ts';
import { withRefusals } from './shop-refusals.ts';
import type { Shops } from './shops.ts';

export const bindShopsRoutes = (
  routes: ApiRoutes,
  context: Pick<StorefrontContext, 'db' | 'secrets' | 'settings' | 'checkAddress' | 'now'>,
  { settings, orders, receive }: Shops,
): void => {
  routes.on(shopWebhooksHttp.take, ({ params, body }, { request, address }) =>
    receive(params.shop, { body, address, header: (name) => request.get(name) ?? '' }),
  );

  routes.on(shopsHttp.list, async () => ({ rows: await withRefusals(context, await settings.list()) }));
  routes.on(shopsHttp.sendTestEvent, ({ params }, { actor }) => sendTestEvent(context, params.id, actor));
  routes.on(shopsHttp.create, ({ body }, by) => settings.create(body, by));
  routes.on(shopsHttp.change, ({ params, body }, by) => settings.change(params.id, body, by));
  routes.on(shopsHttp.setProducts, ({ params, body }, by) => settings.setProducts(params.id, body, by));
  routes.on(shopsHttp.addSecret, ({ params, body }, by) => settings.addSecret(params.id, body.secret, by));
  routes.on(shopsHttp.removeSecret, ({ params }, by) =>
    settings.removeSecret(params.id, params.secretId, by),
  );
  routes.on(shopsHttp.remove, ({ params }, by) => settings.remove(params.id, by));

  routes.on(shopsHttp.orders, ({ query }) => orders.list(query));
  routes.on(shopsHttp.assign, ({ params, body }, by) => orders.assign(params.id, body, by));
  routes.on(shopsHttp.give, ({ params, body }, by) => orders.give(params.id, body.version, by));
  routes.on(shopsHttp.retry, ({ params, body }, by) => orders.retry(params.id, body.version, by));
  routes.on(shopsHttp.dismiss, ({ params, body }, by) => orders.dismiss(params.id, body.version, by));
};
