import type { Language } from '#contracts/kernel/language.ts';
import { sessionsWords } from './sessions.words.ts';

/** The first match counts: browsers also name those that they derive from, and so do systems. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (list: typeof browsers, userAgent: string): string | undefined =>
  list.find(([pattern]) => pattern.test(userAgent))?.[1];

/** A User-Agent in familiar words, such as `Firefox on Windows`; a program's own name stays unchanged. */
export const deviceName = (userAgent: string, language: Language): string => {
  const words = sessionsWords[language];
  const [browser, system] = [nameIn(browsers, userAgent), nameIn(systems, userAgent)];
  if (browser) return system ? words.device(browser, system) : browser;
  return userAgent === '' ? words.unknown : userAgent.slice(0, 60);
};
