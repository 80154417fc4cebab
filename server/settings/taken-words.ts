import { wordTaken } from '#contracts/problem-document.ts';
import type { Section } from '#contracts/settings-fields.ts';
import { nameKey } from '../access/name-key.ts';
import type { FieldFault } from './section-change.ts';

/**
 * Words of the changed fields that another field of the section also has, however they are written. Existing duplicates do
 * not affect a change of other fields.
 */
export const takenWords = (
  { distinctWords = [] }: Section,
  values: Readonly<Record<string, unknown>>,
  changed: readonly string[],
): readonly FieldFault[] => {
  const wordsOf = (field: string) => String(values[field]).split(/\s+/);
  return distinctWords
    .filter((field) => changed.includes(field))
    .flatMap((field): FieldFault[] => {
      for (const word of wordsOf(field)) {
        const other = distinctWords.find(
          (each) => each !== field && wordsOf(each).some((one) => nameKey(one) === nameKey(word)),
        );
        if (other === undefined) continue;
        const others = String(values[other]);
        const message = `must share no word with ${other}: “${word}” is already used there`;
        return [{ field, message, code: wordTaken, values: [word, others] }];
      }
      return [];
    });
};
