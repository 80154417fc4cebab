import * as z from 'zod';

/** Text of a filter that a database can hold: no NUL, no half of a character. */
export const filterText = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), {
      error: 'must not hold NUL or half characters',
    });
