import type { Language } from '#contracts/language.ts';
import type { FieldFault } from './field-fault.ts';
import { formsWords } from './forms.words.ts';

/** A fault in words for people. */
export const faultWords = (fault: FieldFault, language: Language): string => {
  const { faults } = formsWords[language];
  if (fault.kind === 'item') return faults.item(fault.item, faultWords(fault.fault, language));
  if ('limit' in fault) return faults[fault.kind](fault.limit);
  return faults[fault.kind];
};
