import {
  type Icon,
  IconActivityHeartbeat,
  IconBell,
  IconBrandDiscord,
  IconChartBar,
  IconClipboardList,
  IconDatabaseExport,
  IconDeviceDesktop,
  IconDiscount,
  IconFileText,
  IconGavel,
  IconGift,
  IconKey,
  IconLayoutDashboard,
  IconLicense,
  IconLock,
  IconPlugConnected,
  IconPuzzle,
  IconReceipt,
  IconRefresh,
  IconServer2,
  IconSettings,
  IconShieldHalf,
  IconShoppingBag,
  IconSitemap,
  IconStack2,
  IconTruckDelivery,
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
  IconWallet,
  IconWorldDollar,
} from '@tabler/icons-react';
import type { Permission } from '#contracts/permissions.ts';
import { desktopBridge } from './desktop/desktop-bridge.ts';
import { type PageChunk, pageChunk } from './routing/page-chunks.ts';

export const navigationGroups = ['main', 'game', 'store', 'records', 'system'] as const;
export type NavigationGroup = (typeof navigationGroups)[number];

export interface NavigationEntry {
  /** The page has this address and all below it. */
  readonly path: `/${string}`;
  readonly icon: Icon;
  /** Null: reached by other ways than the side bar. */
  readonly group: NavigationGroup | null;
  /** Held somewhere, to see the page at all; null: everybody who is signed in. */
  readonly permission: Permission | null;
  /** Browsers have no such page. */
  readonly isDesktopOnly?: boolean;
  /** Its own piece of the program, loaded when it is first opened. */
  readonly page: PageChunk;
}

/** Every page of the panel. A feature adds its folder and a line here; its name stands in navigation.words.ts. */
export const navigation = {
  overview: {
    path: '/',
    icon: IconLayoutDashboard,
    group: 'main',
    permission: null,
    page: pageChunk(() => import('./features/overview/overview-page.tsx')),
  },
  servers: {
    path: '/servers',
    icon: IconServer2,
    group: 'game',
    permission: 'servers.read',
    page: pageChunk(() => import('./features/servers/servers-page.tsx')),
  },
  clusters: {
    path: '/clusters',
    icon: IconSitemap,
    group: 'game',
    permission: 'servers.read',
    page: pageChunk(() => import('./features/clusters/clusters-page.tsx')),
  },
  players: {
    path: '/players',
    icon: IconUsersGroup,
    group: 'game',
    permission: 'players.read',
    page: pageChunk(() => import('./features/players/players-page.tsx')),
  },
  agents: {
    path: '/agents',
    icon: IconPlugConnected,
    group: 'game',
    permission: 'servers.read',
    page: pageChunk(() => import('./features/agents/agents-page.tsx')),
  },
  mods: {
    path: '/mods',
    icon: IconPuzzle,
    group: 'game',
    permission: 'mods.read',
    page: pageChunk(() => import('./features/mods/mods-page.tsx')),
  },
  store: {
    path: '/store',
    icon: IconShoppingBag,
    group: 'store',
    permission: 'store.read',
    page: pageChunk(() => import('./features/store/store-page.tsx')),
  },
  orders: {
    path: '/orders',
    icon: IconReceipt,
    group: 'store',
    permission: 'orders.read',
    page: pageChunk(() => import('./features/orders/orders-page.tsx')),
  },
  shops: {
    path: '/shops',
    icon: IconWorldDollar,
    group: 'store',
    permission: 'shops.read',
    page: pageChunk(() => import('./features/shops/shops-page.tsx')),
  },
  deliveries: {
    path: '/deliveries',
    icon: IconTruckDelivery,
    group: 'store',
    permission: 'orders.read',
    page: pageChunk(() => import('./features/deliveries/deliveries-page.tsx')),
  },
  desk: {
    path: '/desk',
    icon: IconGavel,
    group: 'store',
    permission: 'orders.read',
    page: pageChunk(() => import('./features/desk/desk-page.tsx')),
  },
  discounts: {
    path: '/discounts',
    icon: IconDiscount,
    group: 'store',
    permission: 'store.read',
    page: pageChunk(() => import('./features/discounts/discounts-page.tsx')),
  },
  seasons: {
    path: '/seasons',
    icon: IconRefresh,
    group: 'store',
    permission: 'seasons.read',
    page: pageChunk(() => import('./features/seasons/seasons-page.tsx')),
  },
  rewards: {
    path: '/rewards',
    icon: IconGift,
    group: 'store',
    permission: 'rewards.read',
    page: pageChunk(() => import('./features/rewards/rewards-page.tsx')),
  },
  sales: {
    path: '/sales',
    icon: IconChartBar,
    group: 'store',
    permission: 'orders.read',
    page: pageChunk(() => import('./features/store-figures/store-figures-page.tsx')),
  },
  members: {
    path: '/members',
    icon: IconWallet,
    group: 'store',
    permission: 'members.read',
    page: pageChunk(() => import('./features/members/members-page.tsx')),
  },
  events: {
    path: '/events',
    icon: IconBell,
    group: 'records',
    permission: 'events.read',
    page: pageChunk(() => import('./features/events/events-page.tsx')),
  },
  audit: {
    path: '/audit',
    icon: IconClipboardList,
    group: 'records',
    permission: 'audit.read',
    page: pageChunk(() => import('./features/audit/audit-page.tsx')),
  },
  logs: {
    path: '/logs',
    icon: IconFileText,
    group: 'records',
    permission: 'logs.read',
    page: pageChunk(() => import('./features/logs/logs-page.tsx')),
  },
  health: {
    path: '/health',
    icon: IconActivityHeartbeat,
    group: 'system',
    permission: 'stack.read',
    page: pageChunk(() => import('./features/health/health-page.tsx')),
  },
  queues: {
    path: '/queues',
    icon: IconStack2,
    group: 'system',
    permission: 'queues.read',
    page: pageChunk(() => import('./features/queues/queues-page.tsx')),
  },
  backups: {
    path: '/backups',
    icon: IconDatabaseExport,
    group: 'system',
    permission: 'backups.read',
    page: pageChunk(() => import('./features/backups/backups-page.tsx')),
  },
  discord: {
    path: '/discord',
    icon: IconBrandDiscord,
    group: 'system',
    permission: 'settings.read',
    page: pageChunk(() => import('./features/discord/discord-page.tsx')),
  },
  settings: {
    path: '/settings',
    icon: IconSettings,
    group: 'system',
    permission: 'settings.read',
    page: pageChunk(() => import('./features/settings/settings-page.tsx')),
  },
  secrets: {
    path: '/secrets',
    icon: IconLock,
    group: 'system',
    permission: 'secrets.read',
    page: pageChunk(() => import('./features/secrets/secrets-page.tsx')),
  },
  admins: {
    path: '/admins',
    icon: IconUsers,
    group: 'system',
    permission: 'admins.read',
    page: pageChunk(() => import('./features/admins/admins-page.tsx')),
  },
  roles: {
    path: '/roles',
    icon: IconShieldHalf,
    group: 'system',
    permission: 'admins.read',
    page: pageChunk(() => import('./features/roles/roles-page.tsx')),
  },
  apiKeys: {
    path: '/api-keys',
    icon: IconKey,
    group: 'system',
    permission: 'api-keys.read',
    page: pageChunk(() => import('./features/api-keys/api-keys-page.tsx')),
  },
  license: {
    path: '/license',
    icon: IconLicense,
    group: 'system',
    permission: 'stack.read',
    page: pageChunk(() => import('./features/license/license-page.tsx')),
  },
  computer: {
    path: '/computer',
    icon: IconDeviceDesktop,
    group: 'system',
    permission: null,
    isDesktopOnly: true,
    page: pageChunk(() => import('./features/computer/computer-page.tsx')),
  },
  profile: {
    path: '/profile',
    icon: IconUserCircle,
    group: null,
    permission: null,
    page: pageChunk(() => import('./features/profile/profile-page.tsx')),
  },
  firstSteps: {
    path: '/first-steps',
    icon: IconServer2,
    group: null,
    permission: null,
    page: pageChunk(() => import('./features/first-steps/first-steps-page.tsx')),
  },
} as const satisfies Record<string, NavigationEntry>;
export type PageName = keyof typeof navigation;
/** The pages that there are here. */
export const pageNames = (Object.keys(navigation) as PageName[]).filter((name) => {
  const { isDesktopOnly = false }: NavigationEntry = navigation[name];
  return !isDesktopOnly || desktopBridge() !== null;
});
