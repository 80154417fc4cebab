import type { ConsoleEntry, LineTraits } from '#contracts/servers/console.ts';

interface Item {
  /** Stays the same for as long as it is shown. */
  readonly key: number;
  /** ISO 8601. */
  readonly at: string;
}

export type FeedItem =
  | (Item & LineTraits & { readonly kind: 'line'; readonly text: string })
  /** Lines that came too fast for this page. */
  | (Item & { readonly kind: 'skipped'; readonly count: number })
  /** The connection was lost: what the game wrote in between is unknown. */
  | (Item & { readonly kind: 'gap' })
  | (Item & { readonly kind: 'entry'; readonly entry: ConsoleEntry });

export interface FeedSnapshot {
  readonly items: readonly FeedItem[];
  /** How many there have ever been. */
  readonly total: number;
}

interface FeedLine extends LineTraits {
  /** ISO 8601. */
  readonly at: string;
  readonly text: string;
}

/** What the console of one server shows. */
export interface ConsoleFeed {
  addLines(lines: readonly FeedLine[], skipped: number): void;
  /** Adds the lines that were kept before the first live one, the oldest first; only once. Lines that also came live are left out. */
  addEarlier(lines: readonly FeedLine[]): void;
  readonly hasEarlier: () => boolean;
  /** New ones, or ones that have ended; cleared ones do not come back. */
  addEntries(entries: readonly ConsoleEntry[]): void;
  addGap(at: string): void;
  clear(): void;
  /** Its current state, whatever is shown. */
  entry(id: string): ConsoleEntry | undefined;
  readonly snapshot: () => FeedSnapshot;
  readonly subscribe: (listener: () => void) => () => void;
}

/** The newest are kept, up to this number, and up to this total length of their texts. */
export const mostItems = 10_000;
export const mostCharacters = 8 * 1024 * 1024;
/** Discarded together, since moving the rest costs the same for one as for many. */
const spare = 500;

type Schedule = (publish: () => void) => void;

const sizeOf = (entry: ConsoleEntry | undefined): number =>
  entry ? entry.command.length + (entry.reply?.length ?? 0) : 0;

/** A command begins, ends, and may have its outcome revised. */
const ageOf = ({ outcome, revised }: ConsoleEntry): number => {
  if (revised) return 2;
  return outcome === null ? 0 : 1;
};

const lengthOf = (item: FeedItem): number => {
  if (item.kind === 'line') return item.text.length;
  return item.kind === 'entry' ? sizeOf(item.entry) : 0;
};

/** A reply can be as long as a thousand lines. */
const newestOf = (items: readonly FeedItem[]): FeedItem[] => {
  let characters = 0;
  const tooMuch = items.findLastIndex((item) => {
    characters += lengthOf(item);
    return characters > mostCharacters;
  });
  return items.slice(Math.max(tooMuch + 1, items.length - mostItems, 0));
};

/** How many of the last kept lines have also come live. */
const overlapOf = (kept: readonly FeedLine[], live: readonly string[]): number => {
  for (let length = Math.min(kept.length, live.length); length > 0; length -= 1)
    if (live.slice(0, length).every((text, index) => kept[kept.length - length + index]?.text === text))
      return length;
  return 0;
};

/** By their times; of equal ones, the earlier lines first. */
const merged = (earlier: readonly FeedItem[], present: readonly FeedItem[]): FeedItem[] => {
  const all: FeedItem[] = [];
  let next = 0;
  for (const item of present) {
    // Live lines come after all kept ones, whatever the clock of the game's machine says.
    while (next < earlier.length && (item.kind !== 'entry' || (earlier[next]?.at ?? '') <= item.at)) {
      const one = earlier[next];
      if (one) all.push(one);
      next += 1;
    }
    all.push(item);
  }
  return [...all, ...earlier.slice(next)];
};

/**
 * Holds the newest items, however fast they come; subscribers are notified once per frame.
 * `schedule` calls back once at the next frame, or never while the page is hidden.
 */
export const createConsoleFeed = (schedule: Schedule = requestAnimationFrame): ConsoleFeed => {
  let items: FeedItem[] = [];
  /** Characters added since the oldest items were last discarded. */
  let unweighed = 0;
  let total = 0;
  let nextKey = 0;
  let shown: FeedSnapshot = { items: [], total: 0 };
  let isScheduled = false;
  let isPrimed = false;
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
  /** By its time: after an outage, commands are reported late. */
  const place = (entry: ConsoleEntry) => {
    const index = items.findLastIndex(({ at }) => at <= entry.at) + 1;
    items.splice(index, 0, { kind: 'entry', key: newKey(), at: entry.at, entry });
  };

  return {
    addLines(lines, skipped) {
      const [first] = lines;
      if (skipped > 0 && first) items.push({ kind: 'skipped', key: newKey(), at: first.at, count: skipped });
      for (const line of lines) {
        items.push({ ...line, kind: 'line', key: newKey() });
        unweighed += line.text.length;
      }
      changed();
    },
    addEarlier(lines) {
      if (isPrimed) return;
      isPrimed = true;
      const live = items.flatMap((item) => (item.kind === 'line' ? [item.text] : []));
      const before = lines.slice(0, lines.length - overlapOf(lines, live));
      const added = before.map((line): FeedItem => ({ ...line, kind: 'line', key: newKey() }));
      unweighed += before.reduce((sum, { text }) => sum + text.length, 0);
      items = merged(added, items);
      changed();
    },
    hasEarlier: () => isPrimed,
    addEntries(added) {
      for (const entry of added) {
        const known = entries.get(entry.id);
        // A list that was requested earlier may arrive after a command has ended.
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
