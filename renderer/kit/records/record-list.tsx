import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import classes from './record-list.module.css';
import type { Identified } from './record-window.ts';

/** Where new rows are added: above the others or below them. */
export type LiveEdge = 'start' | 'end';

const rowsBeforeEnd = 15;
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Rows of equal height, of which only the visible ones are in the page. The rows being read do not move. */
export const RecordList = <Row extends Identified>(props: {
  readonly label: string;
  /** In page order. */
  readonly rows: readonly Row[];
  readonly liveEdge: LiveEdge;
  /** When it changes, the list goes to `beginAt`. */
  readonly generation: string;
  readonly beginAt: LiveEdge;
  /** In rem; all rows have the same height, so that a list of thousands scrolls immediately. */
  readonly rowHeight: number;
  readonly hasMore: Readonly<Record<LiveEdge, boolean>>;
  readonly openId: string | null;
  readonly children: (row: Row) => ReactNode;
  readonly onOpen: (row: Row) => void;
  /** Whether the end where new rows are added is visible, so that they may be added. */
  readonly onFollow: (isFollowing: boolean) => void;
  /** Called near an end with more rows beyond it. */
  readonly onNear: (edge: LiveEdge) => void;
  /** Shown over the list at the live edge. */
  readonly notice?: ReactNode;
  /** The names of the columns, which stay visible; only for sighted readers, since each row contains all of it. */
  readonly head?: ReactNode;
}) => {
  const { label, rows, liveEdge, generation, beginAt, hasMore, openId, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [rem] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  const height = Math.round(props.rowHeight * rem);
  const [activeId, setActiveId] = useState<string | null>(null);
  const found = activeId === null ? -1 : rows.findIndex(({ id }) => id === activeId);
  const active = found >= 0 ? found : liveEdge === 'start' ? 0 : rows.length - 1;
  /** The row that the keyboard goes to, until it is there. */
  const wanted = useRef<string | null>(null);
  const place = useRef({ generation: '', id: '', offset: 0, isAtEdge: false });
  /** Rows do not move under a pointer, nor behind a drawer that was opened from one of them. */
  const [isPointed, setIsPointed] = useState(false);
  const isHeld = isPointed || openId !== null;

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
    // The row with the focus stays in the page while it is out of sight.
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
    const isAtEdge = (liveEdge === 'start' ? scrollTop : below) < height && !hasMore[liveEdge];
    place.current = {
      generation,
      id: rows[index]?.id ?? '',
      offset: scrollTop - index * height,
      isAtEdge,
    };
    props.onFollow(isAtEdge && !isHeld);
    if (hasMore.start && scrollTop < rowsBeforeEnd * height) props.onNear('start');
    if (hasMore.end && below < rowsBeforeEnd * height) props.onNear('end');
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows move what is seen
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const { current } = place;
    const isNew = current.generation !== generation;
    const edge = isNew ? beginAt : current.isAtEdge && !isHeld ? liveEdge : null;
    if (edge) element.scrollTop = edge === 'start' ? 0 : element.scrollHeight;
    else {
      const index = rows.findIndex(({ id }) => id === current.id);
      if (index >= 0) element.scrollTop = index * height + current.offset;
    }
    look();
  }, [rows, generation, height, hasMore.start, hasMore.end]);

  const { onFollow } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a pointer or a drawer changes it here
  useEffect(() => onFollow(place.current.isAtEdge && !isHeld), [isHeld]);

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

  // By its id: rows that arrive in between move it to another place.
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const row = scroller.current?.querySelector(`[data-id="${CSS.escape(wanted.current)}"] button`);
    if (!(row instanceof HTMLElement)) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });

  return (
    <div
      className={classes.frame}
      onPointerEnter={({ pointerType }) => setIsPointed(pointerType === 'mouse')}
      onPointerLeave={() => setIsPointed(false)}
    >
      {props.notice && (
        <div className={classes.notice} data-at={liveEdge}>
          {props.notice}
        </div>
      )}
      {props.head && (
        <div className={classes.head} aria-hidden>
          {props.head}
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
