import type { Language } from '#contracts/kernel/language.ts';
import { wordTaken } from '#contracts/kernel/problem-document.ts';
import { wordValueFault } from '../language/value-faults.words.ts';
import type { FieldFault, FieldRefusal } from './field-fault.ts';
import { formsWords } from './forms.words.ts';

/** A fault in plain words. */
export const faultWords = (fault: FieldFault, language: Language): string => {
  const { faults } = formsWords[language];
  if (fault.kind === 'item') return faults.item(fault.item, faultWords(fault.fault, language));
  if ('limit' in fault) return faults[fault.kind](fault.limit);
  return faults[fault.kind];
};

/** The API's refusal in plain words, or in the API's own words if it has no code that is known here. */
export const refusalWords = ({ message, code, values = [] }: FieldRefusal, language: Language): string => {
  const words = formsWords[language];
  const [word, others] = values;
  if (code === wordTaken && word !== undefined && others !== undefined) return words.wordTaken(word, others);
  return wordValueFault({ code, values }, language) ?? words.refused(message);
};
