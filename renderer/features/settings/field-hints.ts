import { languages } from '#contracts/language.ts';
import type { FieldHints } from '../../forms/section-fields.tsx';

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** Each language by its own name. */
const languageNames = Object.fromEntries(
  languages.map((tag) => [tag, new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag]),
);

/** Hints for fields with these names; every other field is drawn from its schema alone. */
export const fieldHints: FieldHints = {
  timeZone: { suggestions: zones },
  language: { optionLabels: languageNames },
};
