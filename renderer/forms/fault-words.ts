import type { Language } from '#contracts/language.ts';
import { wordTaken } from '#contracts/problem-document.ts';
import type { FieldFault, FieldRefusal } from './field-fault.ts';
import { formsWords } from './forms.words.ts';

/** A fault in words for people. */
export const faultWords = (fault: FieldFault, language: Language): string => {
  const { faults } = formsWords[language];
  if (fault.kind === 'item') return faults.item(fault.item, faultWords(fault.fault, language));
  if ('limit' in fault) return faults[fault.kind](fault.limit);
  return faults[fault.kind];
};

/** What the API has refused: in words for people, or in its own where it gave no code that is known here. */
export const refusalWords = ({ message, code, values = [] }: FieldRefusal, language: Language): string => {
  const words = formsWords[language];
  const [word, others] = values;
  return code === wordTaken && word !== undefined && others !== undefined
    ? words.wordTaken(word, others)
    : words.refused(message);
};
