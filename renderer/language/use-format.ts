import { type Format, formatFor } from '#contracts/format.ts';
import { useLanguage } from './use-words.ts';

export const useFormat = (): Format => formatFor(useLanguage());
