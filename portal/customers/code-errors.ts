import type { FieldError } from '../pages/form.tsx';
import type { RateLimited } from './sign-in.ts';

const minutesIn = (seconds: number): string => {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
};

export const tooManyRequests = (field: string | null, { retryAfterSeconds }: RateLimited): FieldError => ({
  field,
  message: `That was too often. Try again in ${minutesIn(retryAfterSeconds)}.`,
});

/** What is said of a code that was not taken; it is the same for codes that were never sent. */
export const codeError = (
  answer: { outcome: 'gone' } | { outcome: 'wrong'; triesLeft: number },
): FieldError => {
  if (answer.outcome === 'gone')
    return {
      field: 'code',
      message: 'The code has run out, was used already, or was tried too often. Ask for another one.',
    };
  return { field: 'code', message: `The code is not right. Tries left: ${answer.triesLeft}.` };
};
