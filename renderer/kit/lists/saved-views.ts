import { useCallback, useMemo, useSyncExternalStore } from 'react';
import * as z from 'zod';

export const mostViews = 20;
export const longestViewName = 60;

const savedView = z.object({
  name: z.string().min(1).max(longestViewName),
  /** As in an address: `q=ark&sort=-name`. */
  search: z.string().max(2000),
});
type SavedView = z.infer<typeof savedView>;

/** Data that another version or a person's edit has damaged is ignored. */
export const readViews = (text: string | null): readonly SavedView[] => {
  try {
    const views = z.array(z.unknown()).parse(JSON.parse(text ?? '[]'));
    return views
      .flatMap((view) => {
        const parsed = savedView.safeParse(view);
        return parsed.success ? [parsed.data] : [];
      })
      .slice(0, mostViews);
  } catch {
    return [];
  }
};

/** A view of the same name is replaced; null if the maximum number is reached. */
export const withView = (views: readonly SavedView[], view: SavedView): readonly SavedView[] | null => {
  const others = views.filter(({ name }) => name !== view.name);
  return others.length < mostViews ? [...others, view] : null;
};

export type SaveOutcome = 'saved' | 'too many' | 'refused';

interface SavedViews {
  readonly views: readonly SavedView[];
  /** `refused` by the browser, such as in a private window. */
  save(view: SavedView): SaveOutcome;
  remove(name: string): void;
}

const changed = 'castellan:views';
const subscribe = (onChange: () => void) => {
  // Other tabs announce changes by `storage`, this one by its own event.
  addEventListener('storage', onChange);
  addEventListener(changed, onChange);
  return () => {
    removeEventListener('storage', onChange);
    removeEventListener(changed, onChange);
  };
};

const stored = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const store = (key: string, views: readonly SavedView[]): boolean => {
  try {
    localStorage.setItem(key, JSON.stringify(views));
  } catch {
    return false;
  }
  dispatchEvent(new Event(changed));
  return true;
};

/** A person's views of a list on this device; all tabs show the same. */
export const useSavedViews = (list: string, personId: string): SavedViews => {
  const key = `castellan.views.${list}.${personId}`;
  const text = useSyncExternalStore(
    subscribe,
    useCallback(() => stored(key), [key]),
  );
  const views = useMemo(() => readViews(text), [text]);
  return {
    views,
    save(view) {
      // Read again: another tab may have written since.
      const next = withView(readViews(stored(key)), view);
      if (!next) return 'too many';
      return store(key, next) ? 'saved' : 'refused';
    },
    remove: (name) =>
      void store(
        key,
        readViews(stored(key)).filter((view) => view.name !== name),
      ),
  };
};
