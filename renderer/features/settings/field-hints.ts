import { languages } from '#contracts/language.ts';
import type { FieldHints } from '../../forms/section-fields.tsx';

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** Each language as it calls itself. */
const languageNames = Object.fromEntries(
  languages.map((tag) => [tag, new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag]),
);

/** What helps with fields of these names; every other is drawn from its schema alone. */
export const fieldHints: FieldHints = {
  timeZone: { suggestions: zones },
  language: { optionLabels: languageNames },
};
