import { useEffect, useRef } from 'react';
import type { Identified } from './record-window.ts';
import { isMenuOpen } from './use-live-records.ts';
import type { Records } from './use-records.ts';

const everyMs = 3000;
/** A row has the time at which its transaction began, and appears once that has ended. */
export const longestTransactionMs = 120_000;

interface Timed extends Identified {
  readonly at: string;
}

/**
 * Adds new rows to a list without a live topic.
 * @param read the rows since a time, newest first; whether there are more than these
 */
export const usePolledRecords = <Row extends Timed>(
  records: Records<Row>,
  read: (since: string | undefined) => Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }>,
): { readonly isFollowing: { current: boolean } } => {
  const isFollowing = useRef(true);
  const newest = useRef({ records, read });
  useEffect(() => {
    newest.current = { records, read };
  });
  useEffect(() => {
    let isReading = false;
    let isOver = false;
    const look = async () => {
      const { records: now, read: readSince } = newest.current;
      const { window, shownKey } = now;
      if (isReading || document.visibilityState !== 'visible' || !window || window.newer) return;
      isReading = true;
      try {
        const at = window.rows[0]?.at;
        const since = at && new Date(Date.parse(at) - longestTransactionMs).toISOString();
        const { rows, isCut } = await readSince(since);
        const { records: then } = newest.current;
        // For a list that is no longer shown.
        if (isOver || then.shownKey !== shownKey) return;
        const follows = isFollowing.current && !isMenuOpen();
        const known = window.rows[0]?.id;
        // If it was cut off after rows that are already shown, nothing is missed.
        if (isCut && !rows.some(({ id }) => id === known)) then.loseTouch(follows);
        else then.arrive(rows, follows);
      } catch {
        // The list's own read reports the error; this one is repeated.
      } finally {
        isReading = false;
      }
    };
    const timer = setInterval(() => void look(), everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, []);
  return { isFollowing };
};
