import type { Language } from '#contracts/kernel/language.ts';
import type { FieldError } from '../pages/form.tsx';
import type { RateLimited } from './sign-in.ts';
import { signInWords } from './sign-in.words.ts';

export const tooManyRequests = (
  field: string | null,
  { retryAfterSeconds }: RateLimited,
  language: Language,
): FieldError => ({ field, message: signInWords[language].tooOften(Math.ceil(retryAfterSeconds / 60)) });

/** What to say about a refused code; the same for codes that were never sent. */
export const codeError = (
  answer: { outcome: 'gone' } | { outcome: 'wrong'; triesLeft: number },
  language: Language,
): FieldError => {
  const { codeGone, codeWrong } = signInWords[language];
  return { field: 'code', message: answer.outcome === 'gone' ? codeGone : codeWrong(answer.triesLeft) };
};
