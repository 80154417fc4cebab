import type { Waiting, WaitingKind } from '#contracts/operations/waiting.ts';
import type { PageName } from './navigation.ts';

const pages: Readonly<Record<WaitingKind, PageName>> = {
  damage: 'backups',
  backups: 'backups',
  license: 'license',
  deliveries: 'desk',
  'shop-orders': 'shops',
  'shop-orders-left': 'shops',
  removals: 'desk',
  seasons: 'seasons',
  approvals: 'store',
  'held-products': 'store',
  restores: 'servers',
  'world-backups': 'servers',
  'restore-runs': 'servers',
  'mod-failures': 'mods',
  'mod-updates': 'mods',
};

/** How many things wait on each page. */
export const waitingOnPages = (waiting: Waiting | undefined): Readonly<Partial<Record<PageName, number>>> => {
  const counts: Partial<Record<PageName, number>> = {};
  for (const { kind, count } of waiting?.rows ?? []) counts[pages[kind]] = (counts[pages[kind]] ?? 0) + count;
  return counts;
};
