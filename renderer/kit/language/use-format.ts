import { type Format, formatFor } from '#contracts/kernel/format.ts';
import { useTimeZone } from './time-zone.ts';
import { useLanguage } from './use-words.ts';

export const useFormat = (): Format => formatFor(useLanguage(), useTimeZone());
