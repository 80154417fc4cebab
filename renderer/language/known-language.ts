import { languages } from '#contracts/language.ts';

// A Linux without a locale calls its language `en-US@posix`, which is none: libraries that pass it on would fail.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: languages[0], configurable: true });
}
