import { useSyncExternalStore } from 'react';
import type { BaseLocationHook, BaseSearchHook } from 'wouter';
import { hrefOf, parseHash } from './hash-location.ts';

const changed = 'castellan:address';

const subscribe = (onChange: () => void) => {
  addEventListener('hashchange', onChange);
  addEventListener(changed, onChange);
  return () => {
    removeEventListener('hashchange', onChange);
    removeEventListener(changed, onChange);
  };
};

/** Goes to an address of the panel, such as `/servers?game=minecraft`. */
export const goTo = (to: string, { replace = false }: { readonly replace?: boolean } = {}): void => {
  const [next, now] = [parseHash(to), parseHash(location.hash)];
  if (next.path === now.path && next.search === now.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', hrefOf(to));
  dispatchEvent(new Event(changed));
};

export const useHashLocation: BaseLocationHook = () => [
  useSyncExternalStore(subscribe, () => parseHash(location.hash).path),
  goTo,
];
/** As wouter's routers expect it. */
useHashLocation.hrefs = hrefOf;

export const useHashSearch: BaseSearchHook = () =>
  useSyncExternalStore(subscribe, () => parseHash(location.hash).search);
