import { useCallback, useMemo, useSyncExternalStore } from 'react';
import * as z from 'zod';

export const mostViews = 20;
export const longestViewName = 60;

const savedView = z.object({
  name: z.string().min(1).max(longestViewName),
  /** As it stands in an address: `q=ark&sort=-name`. */
  search: z.string().max(2000),
});
export type SavedView = z.infer<typeof savedView>;

/** What another version or somebody's hand has spoiled is as if it were not there. */
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

/** A view of the same name is replaced; null when there are as many as there may be. */
export const withView = (views: readonly SavedView[], view: SavedView): readonly SavedView[] | null => {
  const others = views.filter(({ name }) => name !== view.name);
  return others.length < mostViews ? [...others, view] : null;
};

export type SaveOutcome = 'saved' | 'too many' | 'refused';

export interface SavedViews {
  readonly views: readonly SavedView[];
  /** `refused` by the browser, such as in a private window. */
  save(view: SavedView): SaveOutcome;
  remove(name: string): void;
}

const changed = 'castellan:views';
const subscribe = (onChange: () => void) => {
  // Other tabs announce themselves by `storage`, this one by an event of its own.
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
      // Read anew: another tab may have written since.
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
