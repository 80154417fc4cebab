import { useEffect, useRef, useState } from 'react';
import type { MoreRows } from './list-props.ts';
import { overscan } from './use-roving.ts';

/** So many pages in a row may bring nothing that is shown before somebody has to ask for the next. */
const mostVainPages = 10;
/** So many rows before the end, the next page is fetched. */
const aheadRows = 3 * overscan;

const notAsked = { loaded: -1, shown: -1, vainPages: 0 };

export interface MoreCounts {
  /** Of all rows that have come. */
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
    // Fewer rows: another list, of which nothing was refused yet.
    if (loaded < lastLoaded.current) {
      asked.current = notAsked;
      setIsStuck(false);
    }
    lastLoaded.current = loaded;
    if (!isWanted) return;
    const { current: last } = asked;
    // The page that was asked for has not come: whatever refused it would refuse it again.
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
