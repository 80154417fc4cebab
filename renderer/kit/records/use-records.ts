import { useQuery } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import { queryClient } from '../api/queries.ts';
import {
  addNewer,
  addOlder,
  arrive,
  type Edge,
  type Identified,
  lostTouch,
  openWindow,
  type RecordOrder,
  type RecordPage,
  type RecordWindow,
  showWaiting,
} from './record-window.ts';

/** Where a list starts: with its newest rows, or its oldest. */
type Beginning = 'newest' | 'oldest';

interface OpenedPage<Row> extends RecordPage<Row> {
  /** The live stream continues from here; absent if there is none. */
  readonly liveCursor?: string;
}

export interface RecordsSource<Row> extends RecordOrder<Row> {
  /** From the endpoint and all filters: another key is another list. */
  readonly key: readonly unknown[];
  readonly open: (beginning: Beginning, signal: AbortSignal) => Promise<OpenedPage<Row>>;
  readonly read: (edge: Edge, signal: AbortSignal) => Promise<RecordPage<Row>>;
  /** The API reads it only from its newest end: a reader who has gone far back starts over. */
  readonly isOneWay?: boolean;
}

export interface Records<Row> {
  /** Undefined while the first page is loading. */
  readonly window: RecordWindow<Row> | undefined;
  readonly liveCursor: string | null;
  readonly error: Error | null;
  /** Why more rows, or the other end that was requested, cannot be shown. */
  readonly edgeError: unknown;
  readonly isReading: boolean;
  /** Identifies the shown start: when it changes, the list goes back to its edge. */
  readonly shownKey: string;
  readonly beginning: Beginning;
  begin(at: Beginning): void;
  loadOlder(): void;
  loadNewer(): void;
  /** Repeats the failed read. */
  tryAgain(): void;
  /** Adds rows from the live stream, newest first. */
  arrive(rows: readonly Row[], isFollowing: boolean): void;
  showWaiting(): void;
  loseTouch(isFollowing: boolean): void;
}

interface Shown<Row> {
  readonly key: string;
  readonly window: RecordWindow<Row>;
  readonly liveCursor: string | null;
  readonly at: Beginning;
}
type Add<Row> = (
  window: RecordWindow<Row>,
  page: RecordPage<Row>,
  order: RecordOrder<Row>,
) => RecordWindow<Row>;
interface Failed<Row> {
  readonly error: unknown;
  readonly edge: Edge;
  readonly add: Add<Row>;
}
type Change<Row> = (shown: Shown<Row> | null) => Shown<Row> | null;

/** A long list of records: it is read from either end, grows at its newest one, and stays bounded. */
export const useRecords = <Row extends Identified>(source: RecordsSource<Row>): Records<Row> => {
  const [start, setStart] = useState<{ at: Beginning; generation: number }>({ at: 'newest', generation: 0 });
  const [shown, change] = useReducer((now: Shown<Row> | null, next: Change<Row>) => next(now), null);
  const [jumps, jump] = useReducer((count: number) => count + 1, 0);
  const [isReading, setIsReading] = useState(false);
  const [failed, setFailed] = useState<Failed<Row> | null>(null);
  const list = JSON.stringify(source.key);
  const key = `${list} ${start.generation}`;
  const present = useRef(key);
  present.current = key;

  const first = useQuery({
    queryKey: [...source.key, 'records', start],
    queryFn: ({ signal }) => source.open(start.at, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const { data } = first;
  useEffect(() => {
    if (!data) return;
    // A later read of the same start adds nothing: the live stream has continued from the first.
    change((now) =>
      now?.key === key
        ? now
        : { key, window: openWindow(data), liveCursor: data.liveCursor ?? null, at: start.at },
    );
    setFailed(null);
  }, [data, key, start.at]);

  const within = (act: (window: RecordWindow<Row>) => RecordWindow<Row>) =>
    change((now) => (now?.key === present.current ? { ...now, window: act(now.window) } : now));

  const load = async (edge: Edge | null | undefined, add: Add<Row>) => {
    if (!edge || isReading) return;
    const of = key;
    const queryKey = [...source.key, 'records', edge];
    setIsReading(true);
    setFailed(null);
    try {
      const queryFn = ({ signal }: { signal: AbortSignal }) => source.read(edge, signal);
      const page = await queryClient.fetchQuery({ queryKey, queryFn, staleTime: 0, gcTime: 0 });
      if (of === present.current) within((window) => add(window, page, source));
    } catch (error) {
      if (of === present.current) setFailed({ error, edge, add });
    } finally {
      setIsReading(false);
    }
  };
  useEffect(
    () => () => void queryClient.cancelQueries({ queryKey: [...JSON.parse(list), 'records'] }),
    [list],
  );

  const begin = (at: Beginning) => setStart(({ generation }) => ({ at, generation: generation + 1 }));
  const isOfThisList = shown?.key.slice(0, shown.key.lastIndexOf(' ')) === list;
  const window = isOfThisList ? shown?.window : undefined;
  return {
    window,
    liveCursor: shown?.key === key ? shown.liveCursor : null,
    error: first.error,
    edgeError: failed?.error ?? (window && shown?.key !== key ? first.error : null),
    isReading: isReading || (first.isFetching && shown?.key !== key),
    shownKey: `${shown?.key ?? ''} ${jumps}`,
    beginning: shown?.at ?? start.at,
    begin,
    loadOlder: () => void load(window?.older, addOlder),
    loadNewer() {
      if (!source.isOneWay) void load(window?.newer, addNewer);
    },
    tryAgain() {
      if (failed) void load(failed.edge, failed.add);
      else begin(start.at);
    },
    arrive: (rows, isFollowing) => within((now) => arrive(now, rows, isFollowing, source)),
    showWaiting() {
      const next = window && showWaiting(window, source);
      if (!next) return begin('newest');
      change((now) => now && { ...now, window: showWaiting(now.window, source) ?? now.window, at: 'newest' });
      jump();
    },
    loseTouch(isFollowing) {
      if (isFollowing) begin('newest');
      else within((now) => lostTouch(now, source));
    },
  };
};
