import type { Permission } from '#contracts/identity/permissions.ts';
import { desktopBridge } from '../kit/api/desktop-bridge.ts';
import { type PageChunk, pageChunk } from '../kit/routing/page-chunks.ts';

export const navigationGroups = ['main', 'game', 'store', 'community', 'records', 'system'] as const;
export type NavigationGroup = (typeof navigationGroups)[number];

export interface NavigationEntry {
  /** The page has this address and all addresses below it. */
  readonly path: `/${string}`;
  /** Null: not in the side bar. */
  readonly group: NavigationGroup | null;
  /** Required, at least on some server, to see the page at all; null: everyone who is signed in. */
  readonly permission: Permission | null;
  /** Browsers do not have this page. */
  readonly isDesktopOnly?: boolean;
  /** Its own chunk, loaded when it is first opened. */
  readonly page: PageChunk;
}

/** Every page of the panel. A feature adds its folder and a line here; its name is in navigation.words.ts. */
export const navigation = {
  overview: {
    path: '/',
    group: 'main',
    permission: null,
    page: pageChunk(() => import('./overview/overview-page.tsx')),
  },
  servers: {
    path: '/servers',
    group: 'game',
    permission: 'servers.read',
    page: pageChunk(() => import('./server-page/servers-page.tsx')),
  },
  clusters: {
    path: '/clusters',
    group: 'game',
    permission: 'servers.read',
    page: pageChunk(() => import('../servers/clusters/clusters-page.tsx')),
  },
  players: {
    path: '/players',
    group: 'game',
    permission: 'players.read',
    page: pageChunk(() => import('../people/players/players-page.tsx')),
  },
  bans: {
    path: '/bans',
    group: 'game',
    permission: 'players.read',
    page: pageChunk(() => import('../people/bans/bans-page.tsx')),
  },
  agents: {
    path: '/agents',
    group: 'game',
    permission: 'servers.read',
    page: pageChunk(() => import('../servers/agents/agents-page.tsx')),
  },
  mods: {
    path: '/mods',
    group: 'game',
    permission: 'mods.read',
    page: pageChunk(() => import('../mods/mods-page.tsx')),
  },
  store: {
    path: '/store',
    group: 'store',
    permission: 'store.read',
    page: pageChunk(() => import('../store/catalogue/store-page.tsx')),
  },
  orders: {
    path: '/orders',
    group: 'store',
    permission: 'orders.read',
    page: pageChunk(() => import('../store/orders/orders-page.tsx')),
  },
  shops: {
    path: '/shops',
    group: 'store',
    permission: 'shops.read',
    page: pageChunk(() => import('../storefronts/shops/shops-page.tsx')),
  },
  deliveries: {
    path: '/deliveries',
    group: 'store',
    permission: 'orders.read',
    page: pageChunk(() => import('../store/deliveries/deliveries-page.tsx')),
  },
  desk: {
    path: '/desk',
    group: 'store',
    permission: 'orders.read',
    page: pageChunk(() => import('../store/desk/desk-page.tsx')),
  },
  discounts: {
    path: '/discounts',
    group: 'store',
    permission: 'store.read',
    page: pageChunk(() => import('../store/discounts/discounts-page.tsx')),
  },
  seasons: {
    path: '/seasons',
    group: 'store',
    permission: 'seasons.read',
    page: pageChunk(() => import('../store/seasons/seasons-page.tsx')),
  },
  rewards: {
    path: '/rewards',
    group: 'store',
    permission: 'rewards.read',
    page: pageChunk(() => import('../store/rewards/rewards-page.tsx')),
  },
  sales: {
    path: '/sales',
    group: 'store',
    permission: 'orders.read',
    page: pageChunk(() => import('../store/store-figures/store-figures-page.tsx')),
  },
  members: {
    path: '/members',
    group: 'community',
    permission: 'members.read',
    page: pageChunk(() => import('../people/members/members-page.tsx')),
  },
  events: {
    path: '/events',
    group: 'records',
    permission: 'events.read',
    page: pageChunk(() => import('../operations/events/events-page.tsx')),
  },
  audit: {
    path: '/audit',
    group: 'records',
    permission: 'audit.read',
    page: pageChunk(() => import('../operations/audit/audit-page.tsx')),
  },
  logs: {
    path: '/logs',
    group: 'records',
    permission: 'logs.read',
    page: pageChunk(() => import('../operations/logs/logs-page.tsx')),
  },
  health: {
    path: '/health',
    group: 'records',
    permission: 'stack.read',
    page: pageChunk(() => import('../operations/health/health-page.tsx')),
  },
  queues: {
    path: '/queues',
    group: 'records',
    permission: 'queues.read',
    page: pageChunk(() => import('../operations/queues/queues-page.tsx')),
  },
  backups: {
    path: '/backups',
    group: 'system',
    permission: 'backups.read',
    page: pageChunk(() => import('../operations/backups/backups-page.tsx')),
  },
  discord: {
    path: '/discord',
    group: 'community',
    permission: 'settings.read',
    page: pageChunk(() => import('../discord/discord-page.tsx')),
  },
  settings: {
    path: '/settings',
    group: 'system',
    permission: 'settings.read',
    page: pageChunk(() => import('./settings/settings-page.tsx')),
  },
  secrets: {
    path: '/secrets',
    group: 'system',
    permission: 'secrets.read',
    page: pageChunk(() => import('../operations/secrets/secrets-page.tsx')),
  },
  admins: {
    path: '/admins',
    group: 'system',
    permission: 'admins.read',
    page: pageChunk(() => import('../identity/admins/admins-page.tsx')),
  },
  roles: {
    path: '/roles',
    group: 'system',
    permission: 'admins.read',
    page: pageChunk(() => import('../identity/roles/roles-page.tsx')),
  },
  apiKeys: {
    path: '/api-keys',
    group: 'system',
    permission: 'api-keys.read',
    page: pageChunk(() => import('../identity/api-keys/api-keys-page.tsx')),
  },
  license: {
    path: '/license',
    group: 'system',
    permission: 'stack.read',
    page: pageChunk(() => import('../license/page/license-page.tsx')),
  },
  computer: {
    path: '/computer',
    group: 'system',
    permission: null,
    isDesktopOnly: true,
    page: pageChunk(() => import('../operations/computer/computer-page.tsx')),
  },
  help: {
    path: '/help',
    group: 'system',
    permission: null,
    page: pageChunk(() => import('./help/help-page.tsx')),
  },
  profile: {
    path: '/profile',
    group: null,
    permission: null,
    page: pageChunk(() => import('./profile/profile-page.tsx')),
  },
  firstSteps: {
    path: '/first-steps',
    group: null,
    permission: null,
    page: pageChunk(() => import('./first-steps/first-steps-page.tsx')),
  },
} as const satisfies Record<string, NavigationEntry>;
export type PageName = keyof typeof navigation;
/** The pages that exist here. */
export const pageNames = (Object.keys(navigation) as PageName[]).filter((name) => {
  const { isDesktopOnly = false }: NavigationEntry = navigation[name];
  return !isDesktopOnly || desktopBridge() !== null;
});
