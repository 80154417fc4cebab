import { shopWebhooksHttp } from '#contracts/storefronts/shop-webhooks.ts';

const [before = ''] = shopWebhooksHttp.take.path.split(':');

/** Whether a request can only be an event of an outside shop. */
export const isShopWebhook = (method: string, path: string): boolean =>
  method === shopWebhooksHttp.take.method &&
  path.startsWith(before) &&
  /^[a-z0-9]{1,64}$/.test(path.slice(before.length));
