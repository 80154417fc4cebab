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
import { hrefOf } from '../routing/hash-location.ts';
import { goTo } from '../routing/use-hash-location.ts';
import type { DataListProps } from './list-props.ts';
import { allOrNone, extended, type Selection, toggled } from './selection.tsx';
import type { Entry } from './use-arranged.ts';

/** The row that has the keyboard position. */
interface Position {
  readonly id: string;
  readonly index: number;
}

/** A person's position in a list, kept while the panel is open: they continue there when they come back. */
export interface ListPlace {
  position: Position | null;
  offsetPx: number;
}

const places = new Map<string, ListPlace>();

export const useListPlace = (list: string): ListPlace => {
  const [place] = useState(() => places.get(list) ?? { position: null, offsetPx: 0 });
  places.set(list, place);
  return place;
};

export interface ListHandle {
  /** Focuses the row that has the keyboard position. */
  focus(): void;
}

export type ListVirtualizer = Pick<Virtualizer<HTMLDivElement, Element>, 'scrollToIndex' | 'getVirtualItems'>;

export interface RowActions<Row> {
  /** Called on a click: the keyboard continues from here. */
  readonly onActive: (id: string) => void;
  /** Absent: rows cannot be selected here. */
  readonly onChoose?: ((id: string, toHere: boolean) => void) | undefined;
  readonly rowTo?: DataListProps<Row>['rowTo'];
  readonly onOpen?: DataListProps<Row>['onOpen'];
}

/** Rows rendered in advance beyond each edge. */
export const overscan = 8;

export const openRow = <Row>(row: Row, { rowTo, onOpen }: RowActions<Row>, inNewTab: boolean): void => {
  if (!rowTo) onOpen?.(row);
  else if (inNewTab) window.open(hrefOf(rowTo(row)), '_blank', 'noopener');
  else goTo(rowTo(row));
};

/** The row that has the keyboard position: its old place, if the row itself is gone. */
export const positionIn = (
  entries: readonly { readonly id: string }[],
  { id, index }: Position,
): Position | null => {
  if (entries[index]?.id === id) return { id, index };
  // Before the keyboard has reached any row there is none to look for, in a list that may be long.
  const found = id === '' ? -1 : entries.findIndex((entry) => entry.id === id);
  const at = found === -1 ? Math.min(index, entries.length - 1) : found;
  const entry = entries[at];
  return entry ? { id: entry.id, index: at } : null;
};

/** The target of a key; null for keys that do not move. */
export const destination = (key: string, index: number, count: number, page: number): number | null => {
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, index + 1);
    case 'ArrowUp':
      return Math.max(0, index - 1);
    case 'PageDown':
      return Math.min(last, index + page);
    case 'PageUp':
      return Math.max(0, index - page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
};

/** One row is in the tab order; keys move between rows, select them and open them. */
export const useRoving = <Row>({
  entries,
  rowTo,
  onOpen,
  onChoice,
  handle,
  place,
  element,
  virtualizer,
}: Pick<DataListProps<Row>, 'rowTo' | 'onOpen'> & {
  readonly entries: readonly Entry<Row>[];
  /** Absent: rows cannot be selected here. */
  readonly onChoice?: ((change: (selection: Selection) => Selection) => void) | undefined;
  readonly handle: Ref<ListHandle>;
  readonly place: ListPlace;
  readonly element: RefObject<HTMLElement | null>;
  readonly virtualizer: RefObject<ListVirtualizer | null>;
}): {
  readonly position: Position | null;
  readonly actions: RowActions<Row>;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
} => {
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

  const actions: RowActions<Row> = {
    onActive: (id) => {
      if (id !== position?.id) setWanted({ id, index: entries.findIndex((entry) => entry.id === id) });
    },
    onChoose: onChoice && choose,
    ...(rowTo && { rowTo }),
    ...(onOpen && { onOpen }),
  };

  return {
    position,
    actions,
    onKeyDown(event) {
      const isOnRow = event.target instanceof HTMLElement && event.target.dataset.index !== undefined;
      if (!position || event.altKey || event.defaultPrevented || !isOnRow) return;
      const entry = entries[position.index];
      const pageRows = Math.max(1, (virtualizer.current?.getVirtualItems().length ?? 0) - 2 * overscan);
      const next = destination(event.key, position.index, entries.length, pageRows);
      const isCommand = event.ctrlKey || event.metaKey;
      if (next !== null) goOn(event, next);
      else if (event.key === 'Enter' && entry) openRow(entry.row, actions, isCommand);
      else if (event.key === ' ' && onChoice) choose(position.id, event.shiftKey);
      else if (event.key.toLowerCase() === 'a' && isCommand && onChoice)
        onChoice((selection) => allOrNone(selection, order()));
      else if (event.key === 'Escape' && onChoice) onChoice(() => ({}));
      else return;
      event.preventDefault();
    },
  };
};
