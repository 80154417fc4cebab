import { languages } from '#contracts/kernel/language.ts';

// A Linux without a locale reports `en-US@posix`, which is not a valid language: libraries that pass it on would fail.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: languages[0], configurable: true });
}
