import type { ConsoleEntry } from '#contracts/console.ts';

interface Item {
  /** Stays the same for as long as it is shown. */
  readonly key: number;
  /** ISO 8601. */
  readonly at: string;
}

export type FeedItem =
  | (Item & { readonly kind: 'line'; readonly text: string })
  /** Lines that came too fast for this page. */
  | (Item & { readonly kind: 'skipped'; readonly count: number })
  /** The connection was lost: what the game wrote meanwhile is not known. */
  | (Item & { readonly kind: 'gap' })
  | (Item & { readonly kind: 'entry'; readonly entry: ConsoleEntry });

export interface FeedSnapshot {
  readonly items: readonly FeedItem[];
  /** How many there have ever been. */
  readonly total: number;
}

/** What the console of one server shows. */
export interface ConsoleFeed {
  addLines(lines: readonly { readonly at: string; readonly text: string }[], skipped: number): void;
  /** New, or with its end; what was cleared stays away. */
  addEntries(entries: readonly ConsoleEntry[]): void;
  addGap(at: string): void;
  clear(): void;
  /** As it is now, whatever is shown. */
  entry(id: string): ConsoleEntry | undefined;
  readonly snapshot: () => FeedSnapshot;
  readonly subscribe: (listener: () => void) => () => void;
}

/** The newest are kept, as long as they are no more than this, and their texts no longer than that together. */
export const mostItems = 5000;
export const mostCharacters = 8 * 1024 * 1024;
/** Thrown away together, since moving all others costs the same for one as for many. */
const spare = 500;

type Schedule = (publish: () => void) => void;

const sizeOf = (entry: ConsoleEntry | undefined): number =>
  entry ? entry.command.length + (entry.reply?.length ?? 0) : 0;

/** A command begins, ends, and may have its end revised. */
const ageOf = ({ outcome, revised }: ConsoleEntry): number => {
  if (revised) return 2;
  return outcome === null ? 0 : 1;
};

const lengthOf = (item: FeedItem): number => {
  if (item.kind === 'line') return item.text.length;
  return item.kind === 'entry' ? sizeOf(item.entry) : 0;
};

/** An answer can be as long as a thousand lines. */
const newestOf = (items: readonly FeedItem[]): FeedItem[] => {
  let characters = 0;
  const tooMuch = items.findLastIndex((item) => {
    characters += lengthOf(item);
    return characters > mostCharacters;
  });
  return items.slice(Math.max(tooMuch + 1, items.length - mostItems, 0));
};

/**
 * Holds the newest of what came, however fast it comes; whoever shows it hears of it once a frame.
 * `schedule` calls back once at the next frame, or never while the page is hidden.
 */
export const createConsoleFeed = (schedule: Schedule = requestAnimationFrame): ConsoleFeed => {
  let items: FeedItem[] = [];
  /** Characters that came since the last time that the oldest were thrown away. */
  let unweighed = 0;
  let total = 0;
  let nextKey = 0;
  let shown: FeedSnapshot = { items: [], total: 0 };
  let isScheduled = false;
  const entries = new Map<string, ConsoleEntry>();
  /** Characters of all entries. */
  let remembered = 0;
  const listeners = new Set<() => void>();

  const publish = () => {
    isScheduled = false;
    shown = { items: newestOf(items), total };
    for (const listener of listeners) listener();
  };
  const changed = () => {
    if (items.length > mostItems + spare || unweighed > mostCharacters) {
      items = newestOf(items);
      unweighed = 0;
    }
    if (isScheduled) return;
    isScheduled = true;
    schedule(publish);
  };
  const newKey = () => {
    nextKey += 1;
    total += 1;
    return nextKey;
  };

  const remember = (entry: ConsoleEntry) => {
    remembered += sizeOf(entry) - sizeOf(entries.get(entry.id));
    entries.set(entry.id, entry);
    for (const [id, oldest] of entries) {
      if (entries.size <= mostItems && remembered <= mostCharacters) break;
      remembered -= sizeOf(oldest);
      entries.delete(id);
    }
  };
  /** By its time: after an outage, commands are told of late. */
  const place = (entry: ConsoleEntry) => {
    const index = items.findLastIndex(({ at }) => at <= entry.at) + 1;
    items.splice(index, 0, { kind: 'entry', key: newKey(), at: entry.at, entry });
  };

  return {
    addLines(lines, skipped) {
      const [first] = lines;
      if (skipped > 0 && first) items.push({ kind: 'skipped', key: newKey(), at: first.at, count: skipped });
      for (const { at, text } of lines) {
        items.push({ kind: 'line', key: newKey(), at, text });
        unweighed += text.length;
      }
      changed();
    },
    addEntries(added) {
      for (const entry of added) {
        const known = entries.get(entry.id);
        // A list that was asked for earlier may come later than the end of a command.
        if (known && ageOf(entry) <= ageOf(known)) continue;
        remember(entry);
        unweighed += sizeOf(entry);
        if (known)
          items = items.map((item) =>
            item.kind === 'entry' && item.entry.id === entry.id ? { ...item, entry } : item,
          );
        else place(entry);
        changed();
      }
    },
    addGap(at) {
      if (items.length === 0 || items.at(-1)?.kind === 'gap') return;
      items.push({ kind: 'gap', key: newKey(), at });
      changed();
    },
    clear() {
      items = [];
      changed();
    },
    entry: (id) => entries.get(id),
    snapshot: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
