import { formatIn } from '#contracts/kernel/format.ts';
import type { Language } from '#contracts/kernel/language.ts';

/** Numbers and times of the portal's pages and mails. The portal does not know where a reader lives: every time is in UTC and says so. */
export interface PortalFormat {
  number(value: number): string;
  list(words: readonly string[]): string;
  /** `Mar 3, 2026`. */
  day(at: string | Date): string;
  /** `Mar 3, 2026, 12:00 UTC`. */
  moment(at: string | Date): string;
}

const portalFormatIn = (language: Language): PortalFormat => {
  const { number, list, date } = formatIn(language, 'UTC');
  const moments = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  return {
    number,
    list,
    day: (at) => date(new Date(at).toISOString()),
    moment: (at) => `${moments.format(new Date(at))} UTC`,
  };
};

export const portalFormat: Readonly<Record<Language, PortalFormat>> = {
  en: portalFormatIn('en'),
  'pt-BR': portalFormatIn('pt-BR'),
};
