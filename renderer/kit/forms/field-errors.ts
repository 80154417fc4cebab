import type { Language } from '#contracts/kernel/language.ts';
import { ApiProblem } from '../api/api-problem.ts';
import { problemTexts } from '../language/problem-texts.ts';
import { useLanguage } from '../language/use-words.ts';
import { refusalWords } from './fault-words.ts';

/** What the API refuses about one field, in words; null: nothing. */
export const fieldErrorOf = (error: unknown, field: string, language: Language): string | null => {
  if (!(error instanceof ApiProblem)) return null;
  const fault = error.document.errors?.find(({ path }) => path.split('.').at(-1) === field);
  if (fault) return refusalWords(fault, language);
  // Concerns a name, unless the API has named another field.
  return field === 'name' && error.code === 'NAME_TAKEN' && !error.document.errors
    ? problemTexts('NAME_TAKEN', language).meaning
    : null;
};

/** @param error why a form was refused @returns the words for a field, by its name in the request */
export const useFieldErrors = (error: unknown): ((field: string) => string | null) => {
  const language = useLanguage();
  return (field) => fieldErrorOf(error, field, language);
};
