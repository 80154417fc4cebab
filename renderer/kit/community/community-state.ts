import * as z from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { product } from '#contracts/kernel/product.ts';
import { type Community, type CommunityFace, community } from '#contracts/operations/community.ts';
import { followOtherTabs } from '../api/follow-other-tabs.ts';

/** An earlier version has stored no public address. */
const kept = z.object({
  community: community.extend({ publicAddress: z.string().nullable().default(null) }),
});
const nameless: Community = { name: null, language: null, logo: null, timeZone: null, publicAddress: null };

const isKnownZone = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    // An older browser does not support the newest zones.
    return false;
  }
};

const withKnownZone = (told: Community): Community => ({
  ...told,
  timeZone: told.timeZone !== null && isKnownZone(told.timeZone) ? told.timeZone : null,
});

/** Stored for the next visit: until the API has answered, it is the newest known state. */
const useCommunityStore = create<{ readonly community: Community }>()(
  persist(() => ({ community: nameless }), {
    name: 'castellan.community',
    version: 1,
    // A different version of this browser may have stored it.
    merge: (known, present) => ({
      community: withKnownZone(kept.safeParse(known).data?.community ?? present.community),
    }),
  }),
);
followOtherTabs(useCommunityStore);

/** Takes over the API's answer; before sign-in, it contains neither time zone nor public address. */
export const hearCommunity = (heard: CommunityFace & Partial<Community>): void => {
  useCommunityStore.setState(({ community: before }) => {
    const { name, language, logo, timeZone = before.timeZone } = heard;
    const { publicAddress = before.publicAddress } = heard;
    return { community: withKnownZone({ name, language, logo, timeZone, publicAddress }) };
  });
};

export const useCommunity = (): Community => useCommunityStore((state) => state.community);

/** The current community, outside of components. */
export const presentCommunity = (): Community => useCommunityStore.getState().community;

export const onCommunity = (changed: () => void): (() => void) => useCommunityStore.subscribe(changed);

/** The name of the community for window titles; the product's name until the community has one. */
export const useSiteName = (): string => useCommunity().name ?? product.name;
