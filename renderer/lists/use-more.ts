import { useEffect, useRef, useState } from 'react';
import type { MoreRows } from './list-props.ts';
import { overscan } from './use-roving.ts';

/** The number of pages in a row that may bring no visible row before the reader has to ask for the next. */
const mostVainPages = 10;
/** The next page is fetched this many rows before the end. */
const aheadRows = 3 * overscan;

const notAsked = { loaded: -1, shown: -1, vainPages: 0 };

export interface MoreCounts {
  /** The number of all rows that have arrived. */
  readonly loaded: number;
  readonly shown: number;
  /** Index of the last row on the screen. */
  readonly lastSeen: number;
}

/** Fetches ahead while the list is scrolled. `isStuck`: it no longer does so by itself, and a button is needed. */
export const useMore = (more: MoreRows | undefined, { loaded, shown, lastSeen }: MoreCounts) => {
  const asked = useRef(notAsked);
  const lastLoaded = useRef(loaded);
  const [isStuck, setIsStuck] = useState(false);
  const isNear = lastSeen >= shown - 1 - aheadRows;
  const isWanted = more?.hasMore === true && !more.isLoadingMore && isNear;

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when one of these changes, not at each drawing
  useEffect(() => {
    // Fewer rows: a different list, for which nothing has been refused yet.
    if (loaded < lastLoaded.current) {
      asked.current = notAsked;
      setIsStuck(false);
    }
    lastLoaded.current = loaded;
    if (!isWanted) return;
    const { current: last } = asked;
    // The requested page has not arrived: whatever refused it would refuse it again.
    const isRefused = last.loaded === loaded;
    const vainPages = last.shown === shown ? last.vainPages + 1 : 0;
    if (isRefused || vainPages > mostVainPages) return setIsStuck(true);
    asked.current = { loaded, shown, vainPages };
    setIsStuck(false);
    more?.loadMore();
  }, [isWanted, loaded, shown]);

  return {
    isStuck: isStuck && more?.hasMore === true && !more.isLoadingMore,
    askAgain: () => {
      asked.current = { loaded, shown, vainPages: 0 };
      setIsStuck(false);
      more?.loadMore();
    },
  };
};
