import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from './record-list.module.css';
import type { Identified } from './record-window.ts';

/** Where new rows come: above the others or below them. */
export type LiveEdge = 'start' | 'end';

export interface RecordListProps<Row> {
  readonly label: string;
  /** As they stand on the page. */
  readonly rows: readonly Row[];
  readonly liveEdge: LiveEdge;
  /** Another one: the list goes to `beginAt`. */
  readonly generation: string;
  readonly beginAt: LiveEdge;
  /** In rem; all rows are equally high, so that a list of thousands scrolls at once. */
  readonly rowHeight: number;
  readonly hasMore: Readonly<Record<LiveEdge, boolean>>;
  readonly openId: string | null;
  readonly children: (row: Row) => ReactNode;
  readonly onOpen: (row: Row) => void;
  /** Whether the end where new rows come is seen, so that they may come. */
  readonly onFollow: (isFollowing: boolean) => void;
  /** Near an end beyond which there is more. */
  readonly onNear: (edge: LiveEdge) => void;
  /** Stands over the list at the live edge. */
  readonly notice?: ReactNode;
}

const rowsBeforeEnd = 15;
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Rows of equal height, of which only those in sight are in the page. What is being read stays where it is. */
export const RecordList = <Row extends Identified>(props: RecordListProps<Row>) => {
  const { label, rows, liveEdge, generation, beginAt, hasMore, openId, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [rem] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  const height = Math.round(props.rowHeight * rem);
  const [activeId, setActiveId] = useState<string | null>(null);
  const found = activeId === null ? -1 : rows.findIndex(({ id }) => id === activeId);
  const active = found >= 0 ? found : liveEdge === 'start' ? 0 : rows.length - 1;
  /** The row that the keyboard goes to, until it is there. */
  const wanted = useRef<string | null>(null);
  const place = useRef({ generation: '', id: '', offset: 0, isFollowing: false });

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
    // What has the focus stays in the page while it is out of sight.
    rangeExtractor: (range) =>
      [...new Set([active, ...defaultRangeExtractor(range)])]
        .filter((index) => index >= 0)
        .sort((a, b) => a - b),
  });

  const look = () => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const below = scrollHeight - clientHeight - scrollTop;
    const index = Math.min(rows.length - 1, Math.floor(scrollTop / height));
    const isAtEdge = (liveEdge === 'start' ? scrollTop : below) < height;
    const isFollowing = isAtEdge && !hasMore[liveEdge];
    place.current = {
      generation,
      id: rows[index]?.id ?? '',
      offset: scrollTop - index * height,
      isFollowing,
    };
    props.onFollow(isFollowing);
    if (hasMore.start && scrollTop < rowsBeforeEnd * height) props.onNear('start');
    if (hasMore.end && below < rowsBeforeEnd * height) props.onNear('end');
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows move what is seen
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const { current } = place;
    const isNew = current.generation !== generation;
    const edge = isNew ? beginAt : current.isFollowing ? liveEdge : null;
    if (edge) element.scrollTop = edge === 'start' ? 0 : element.scrollHeight;
    else {
      const index = rows.findIndex(({ id }) => id === current.id);
      if (index >= 0) element.scrollTop = index * height + current.offset;
    }
    look();
  }, [rows, generation, height, hasMore.start, hasMore.end]);

  const move = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined || rows.length === 0) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(rows.length - 1, active + step));
    const id = rows[index]?.id ?? null;
    wanted.current = id;
    setActiveId(id);
    virtual.scrollToIndex(index);
  };

  // By its id: rows that come meanwhile move it to another place.
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const row = scroller.current?.querySelector(`[data-id="${CSS.escape(wanted.current)}"] button`);
    if (!(row instanceof HTMLElement)) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });

  return (
    <div className={classes.frame}>
      {props.notice && (
        <div className={classes.notice} data-at={liveEdge}>
          {props.notice}
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the rows' buttons within */}
      <div ref={scroller} className={classes.scroll} onScroll={look} onKeyDown={move}>
        <ul
          className={classes.rows}
          aria-label={label}
          style={{ height: virtual.getTotalSize(), margin: 0, padding: 0, listStyle: 'none' }}
        >
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row && (
                <li
                  key={key}
                  data-id={row.id}
                  className={classes.row}
                  style={{ height, transform: `translateY(${start}px)` }}
                >
                  <button
                    type="button"
                    className={classes.open}
                    tabIndex={index === active ? 0 : -1}
                    data-is-open={row.id === openId}
                    onFocus={() => setActiveId(row.id)}
                    onClick={() => props.onOpen(row)}
                  >
                    {children(row)}
                  </button>
                </li>
              )
            );
          })}
        </ul>
      </div>
    </div>
  );
};
