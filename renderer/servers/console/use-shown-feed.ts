import { useDeferredValue, useState, useSyncExternalStore } from 'react';
import type { ConsoleFeed, FeedItem, FeedSnapshot } from './console-feed.ts';
import { filtered } from './feed-text.ts';

export interface ShownFeed {
  readonly items: readonly FeedItem[];
  readonly follows: boolean;
  readonly isPaused: boolean;
  /** The lines since the view stopped following. */
  readonly newLines: number;
  readonly filter: string;
  setFilter(filter: string): void;
  setPaused(isPaused: boolean): void;
  setScrolledUp(isUp: boolean): void;
  goToEnd(): void;
  clear(): void;
}

/** The visible part of a feed: live, or frozen at the moment when the reader paused it or scrolled up. */
export const useShownFeed = (feed: ConsoleFeed): ShownFeed => {
  const newest = useSyncExternalStore(feed.subscribe, feed.snapshot);
  const [isPaused, setIsPaused] = useState(false);
  const [isUp, setIsUp] = useState(false);
  const [frozen, setFrozen] = useState<FeedSnapshot | null>(null);
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter);

  // A command that ends while the view is frozen shows its outcome there, too.
  const asOfNow = (item: FeedItem): FeedItem => {
    const entry = item.kind === 'entry' ? feed.entry(item.entry.id) : undefined;
    return item.kind === 'entry' && entry && entry !== item.entry ? { ...item, entry } : item;
  };
  const items = filtered(frozen ? frozen.items.map(asOfNow) : newest.items, wanted);

  const stand = (paused: boolean, up: boolean) => {
    setIsPaused(paused);
    setIsUp(up);
    setFrozen((now) => (paused || up ? (now ?? feed.snapshot()) : null));
  };
  return {
    items,
    follows: frozen === null,
    isPaused,
    newLines: frozen ? newest.total - frozen.total : 0,
    filter,
    setFilter,
    setPaused: (paused) => stand(paused, isUp && paused),
    setScrolledUp: (up) => stand(isPaused, up),
    goToEnd: () => stand(false, false),
    clear() {
      feed.clear();
      stand(false, false);
    },
  };
};
