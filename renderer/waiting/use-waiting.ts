import type { UseQueryResult } from '@tanstack/react-query';
import { type Waiting, type WaitingKind, waitingHttp } from '#contracts/waiting.ts';
import type { PageName } from '../navigation.ts';
import { useLive } from '../wire/live.ts';
import { queryClient, readKey, useRead } from '../wire/queries.ts';

const everyMs = 10_000;

/** What waits for a person, as far as the reader may see it: after each change, and polled, since a verdict depends on it. */
export const useWaiting = (): UseQueryResult<Waiting> => {
  const read = useRead(waitingHttp.list, {}, { everyMs });
  useLive({ topic: 'waiting' }, (message) => {
    if (message.type === 'waiting')
      void queryClient.invalidateQueries({ queryKey: readKey(waitingHttp.list) });
  });
  return read;
};

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
  'mod-failures': 'mods',
  'mod-updates': 'mods',
};

/** How many things wait on each page. */
export const waitingOnPages = (waiting: Waiting | undefined): Readonly<Partial<Record<PageName, number>>> => {
  const counts: Partial<Record<PageName, number>> = {};
  for (const { kind, count } of waiting?.rows ?? []) counts[pages[kind]] = (counts[pages[kind]] ?? 0) + count;
  return counts;
};
