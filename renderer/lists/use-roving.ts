import type { Virtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ListPlace } from './list-place.ts';
import { destination, type Position, positionIn } from './list-position.ts';
import type { DataListProps } from './list-props.ts';
import { openRow, type RowDeeds } from './list-row.tsx';
import { allOrNone, extended, type Selection, toggled } from './selection.ts';
import type { Entry } from './use-arranged.ts';

export interface Roving<Row> {
  readonly position: Position | null;
  readonly deeds: RowDeeds<Row>;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
}

export interface ListHandle {
  /** Focuses the row that has the keyboard position. */
  focus(): void;
}

export interface RovingOptions<Row> extends Pick<DataListProps<Row>, 'rowTo' | 'onOpen'> {
  readonly entries: readonly Entry<Row>[];
  /** Absent: rows cannot be selected here. */
  readonly onChoice?: ((change: (selection: Selection) => Selection) => void) | undefined;
  readonly handle: Ref<ListHandle>;
  readonly place: ListPlace;
  readonly element: RefObject<HTMLElement | null>;
  readonly virtualizer: RefObject<ListVirtualizer | null>;
}
export type ListVirtualizer = Pick<Virtualizer<HTMLDivElement, Element>, 'scrollToIndex' | 'getVirtualItems'>;

/** One row is in the tab order; keys move between rows, select them and open them. */
export const useRoving = <Row>(options: RovingOptions<Row>): Roving<Row> => {
  const { entries, rowTo, onOpen, onChoice, handle, place, element, virtualizer } = options;
  const [wanted, setWanted] = useState<Position>(place.position ?? { id: '', index: 0 });
  const position = useMemo(() => positionIn(entries, wanted), [entries, wanted]);
  /** The ends of the range that Shift makes; a click moves the position before it selects. */
  const anchor = useRef<string | null>(null);
  const rangeEnd = useRef<string | null>(null);
  const shallFocus = useRef(false);
  const wasInside = useRef(false);

  useEffect(() => {
    if (!position) return;
    place.position = position;
    const isLost = wasInside.current && document.activeElement === document.body;
    if (!shallFocus.current && !isLost) return;
    shallFocus.current = false;
    virtualizer.current?.scrollToIndex(position.index);
    element.current
      ?.querySelector<HTMLElement>(`[data-index="${position.index}"]`)
      ?.focus({ preventScroll: true });
  });
  useEffect(() => {
    const leave = ({ target }: Event) => {
      wasInside.current = target instanceof Node && element.current?.contains(target) === true;
    };
    addEventListener('focusin', leave);
    addEventListener('pointerdown', leave);
    return () => {
      removeEventListener('focusin', leave);
      removeEventListener('pointerdown', leave);
    };
  }, [element]);

  const moveTo = (index: number) => {
    const entry = entries[index];
    if (!entry) return;
    shallFocus.current = true;
    setWanted({ id: entry.id, index });
  };
  useImperativeHandle(handle, () => ({ focus: () => moveTo(position?.index ?? 0) }));

  const order = () => entries.map(({ id }) => id);
  const choose = (id: string, toHere: boolean) => {
    const isThere = entries.some((entry) => entry.id === anchor.current);
    const from = toHere && isThere ? anchor.current : null;
    const end = rangeEnd.current ?? from;
    onChoice?.((selection) =>
      from !== null && end !== null ? extended(selection, order(), from, end, id) : toggled(selection, id),
    );
    if (from === null) anchor.current = id;
    rangeEnd.current = id;
    moveTo(entries.findIndex((entry) => entry.id === id));
  };
  const goOn = (event: KeyboardEvent, index: number) => {
    const entry = entries[index];
    if (event.shiftKey && onChoice && position && entry) {
      anchor.current ??= position.id;
      const from = anchor.current;
      const end = rangeEnd.current ?? from;
      onChoice((selection) => extended(selection, order(), from, end, entry.id));
      rangeEnd.current = entry.id;
    } else {
      anchor.current = null;
      rangeEnd.current = null;
    }
    moveTo(index);
  };

  const deeds: RowDeeds<Row> = {
    onActive: (id) => {
      if (id !== position?.id) setWanted({ id, index: entries.findIndex((entry) => entry.id === id) });
    },
    onChoose: onChoice && choose,
    ...(rowTo && { rowTo }),
    ...(onOpen && { onOpen }),
  };

  return {
    position,
    deeds,
    onKeyDown(event) {
      const isOnRow = event.target instanceof HTMLElement && event.target.dataset.index !== undefined;
      if (!position || event.altKey || event.defaultPrevented || !isOnRow) return;
      const entry = entries[position.index];
      const pageRows = Math.max(1, (virtualizer.current?.getVirtualItems().length ?? 0) - 2 * overscan);
      const next = destination(event.key, position.index, entries.length, pageRows);
      const isCommand = event.ctrlKey || event.metaKey;
      if (next !== null) goOn(event, next);
      else if (event.key === 'Enter' && entry) openRow(entry.row, deeds, isCommand);
      else if (event.key === ' ' && onChoice) choose(position.id, event.shiftKey);
      else if (event.key.toLowerCase() === 'a' && isCommand && onChoice)
        onChoice((selection) => allOrNone(selection, order()));
      else if (event.key === 'Escape' && onChoice) onChoice(() => ({}));
      else return;
      event.preventDefault();
    },
  };
};

/** Rows rendered in advance beyond each edge. */
export const overscan = 8;
