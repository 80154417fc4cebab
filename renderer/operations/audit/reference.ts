import type { Permission } from '#contracts/identity/permissions.ts';

/** The person or thing that an audit row names, as `kind:id`. */
export interface Reference {
  readonly kind: string;
  readonly id: string;
}

export const referenceIn = (text: string): Reference => {
  const [kind = '', ...id] = text.split(':');
  return { kind, id: id.join(':') };
};

interface PageOf {
  /** Without it there is nothing to see. */
  readonly permission: Permission;
  readonly address: (id: string) => string;
}

const page = (permission: Permission, address: (id: string) => string): PageOf => ({ permission, address });

const pages: Readonly<Record<string, PageOf>> = {
  admin: page('admins.read', (id) => `/admins/${id}`),
  'api-key': page('api-keys.read', () => '/api-keys'),
  cluster: page('servers.read', () => '/clusters'),
  'code-batch': page('rewards.read', () => '/rewards'),
  delivery: page('orders.read', (id) => `/deliveries/${id}`),
  'delivery-rule': page('orders.read', () => '/desk/rules'),
  discord: page('settings.read', () => '/discord'),
  'discord-chat-filter': page('settings.read', () => '/discord/chat'),
  'discord-chat-relay': page('settings.read', () => '/discord/chat'),
  'discord-event-rule': page('settings.read', () => '/discord/events'),
  'discord-role': page('settings.read', () => '/discord/roles'),
  'discord-role-rule': page('settings.read', () => '/discord/roles'),
  'discord-status-message': page('settings.read', () => '/discord/status'),
  discount: page('store.read', () => '/discounts'),
  job: page('queues.read', (id) => `/queues/${id.split('%3A', 1)[0]}`),
  member: page('members.read', (id) => `/members/${id}`),
  'mod-set': page('mods.read', (id) => `/mods/sets/${id}`),
  'mod-wave': page('mods.read', () => '/mods'),
  order: page('orders.read', (id) => `/orders/${id}`),
  player: page('players.read', (id) => `/players/${id}`),
  product: page('store.read', (id) => `/store/${id}`),
  queue: page('queues.read', (id) => `/queues/${id}`),
  'reward-rule': page('rewards.read', () => '/rewards'),
  role: page('admins.read', () => '/roles'),
  season: page('seasons.read', (id) => `/seasons/${id}`),
  server: page('servers.read', (id) => `/servers/${id}`),
  settings: page('settings.read', (id) => `/settings/${id}`),
  shop: page('shops.read', () => '/shops'),
  'shop-order': page('shops.read', () => '/shops'),
};

/** The page of the panel that shows it, and the permission to see that page; null if there is none. */
export const pageOfReference = ({
  kind,
  id,
}: Reference): { readonly address: string; readonly permission: Permission } | null => {
  const found = Object.hasOwn(pages, kind) ? pages[kind] : undefined;
  return found ? { address: found.address(encodeURIComponent(id)), permission: found.permission } : null;
};
