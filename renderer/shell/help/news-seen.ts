import { useEffect } from 'react';
import * as z from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { useMe } from '../../kit/access/access-state.ts';
import { followOtherTabs } from '../../kit/api/follow-other-tabs.ts';
import { ownVersion } from './own-version.ts';
import { isNewer } from './versions.ts';

interface NewsStore {
  /** By the id of a person: the version whose changes they have seen. */
  readonly seen: Readonly<Record<string, string>>;
}
const kept = z.object({ seen: z.record(z.string(), z.string()) });

const useNewsStore = create<NewsStore>()(
  persist((): NewsStore => ({ seen: {} }), {
    name: 'castellan.news',
    version: 1,
    merge: (found, present) => ({ ...present, ...kept.safeParse(found).data }),
  }),
);
followOtherTabs(useNewsStore);

/** The version whose changes the person has seen in this browser; null: they have not looked here before. */
export const useSeenVersion = (): string | null => {
  const { id } = useMe();
  return useNewsStore(({ seen }) => seen[id] ?? null);
};

export const keepSeen = (person: string): void => {
  useNewsStore.setState(({ seen }) => ({ seen: { ...seen, [person]: ownVersion } }));
};

/** Whether this version has changes that the person has not seen. A person who is here for the first time has nothing to catch up on. */
export const useHasNews = (): boolean => {
  const { id } = useMe();
  const seen = useSeenVersion();
  useEffect(() => {
    if (seen === null) keepSeen(id);
  }, [seen, id]);
  return seen !== null && isNewer(ownVersion, seen);
};
