import * as z from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { type Language, languages } from '#contracts/kernel/language.ts';
import { followOtherTabs } from '../api/follow-other-tabs.ts';

/** A person's choices in this browser. */
interface ReadingChoices {
  /** Null: no choice, so the community's language applies. */
  readonly language: Language | null;
  /** Shows times by this device's clock, whatever the community's time zone is. */
  readonly isDeviceClock: boolean;
}

const known = z.object({
  // Another version of the panel may have supported more languages.
  language: z.enum(languages).nullable().catch(null),
  isDeviceClock: z.boolean().catch(false),
});
const none: ReadingChoices = { language: null, isDeviceClock: false };

export const useReadingChoices = create<ReadingChoices>()(
  persist(() => none, {
    name: 'castellan.language',
    version: 1,
    merge: (kept, present) => ({ ...present, ...known.safeParse(kept).data }),
  }),
);
followOtherTabs(useReadingChoices);
