import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { followOtherTabs } from '../api/follow-other-tabs.ts';

export const densities = ['comfortable', 'compact'] as const;
type Density = (typeof densities)[number];

const useDensityStore = create<{ readonly density: Density }>()(
  persist((): { density: Density } => ({ density: 'comfortable' }), {
    name: 'castellan.density',
    version: 1,
  }),
);
followOtherTabs(useDensityStore);

/** The density of list rows, for the person in this browser. */
export const useDensity = (): Density => useDensityStore(({ density }) => density);
export const setDensity = (density: Density): void => {
  useDensityStore.setState({ density });
};
