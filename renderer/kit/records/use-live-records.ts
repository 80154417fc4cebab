import { useEffect, useRef } from 'react';
import type { ServerMessage } from '#contracts/kernel/live.ts';
import { useLive } from '../api/live.ts';
import type { LiveSubject } from '../api/live-subject.ts';
import { createFrameBatch } from './frame-batch.ts';
import { type Identified, mostWaiting } from './record-window.ts';
import type { Records } from './use-records.ts';

/** Nothing moves while a menu is open over the page. */
export const isMenuOpen = (): boolean =>
  document.querySelector('[aria-haspopup][aria-expanded="true"]') !== null;

/**
 * Adds a live topic's rows to a list, from where its first page ended.
 * @param rowsOf the rows of a message, the oldest first; null if it has none
 */
export const useLiveRecords = <Row extends Identified>(
  records: Records<Row>,
  subject: LiveSubject,
  rowsOf: (message: ServerMessage) => readonly Row[] | null,
): { readonly isFollowing: { current: boolean } } => {
  const isFollowing = useRef(true);
  const newest = useRef(records);
  useEffect(() => {
    newest.current = records;
  });
  const batch = useRef<ReturnType<typeof createFrameBatch<Row>> | null>(null);
  useEffect(() => {
    const made = createFrameBatch<Row>(mostWaiting, (rows, leftOut) => {
      if (leftOut > 0) newest.current.loseTouch(isFollowing.current);
      else newest.current.arrive(rows.toReversed(), isFollowing.current && !isMenuOpen());
    });
    batch.current = made;
    return () => made[Symbol.dispose]();
  }, []);
  const { liveCursor } = records;
  useLive(
    liveCursor === null ? null : subject,
    (message) => {
      if (message.type === 'subscribed' && !message.resumed) records.loseTouch(isFollowing.current);
      const rows = rowsOf(message);
      if (rows) batch.current?.add(rows);
    },
    liveCursor,
  );
  return { isFollowing };
};
