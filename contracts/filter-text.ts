import * as z from 'zod';

/** Filter text that a database can store: no NUL, no half of a surrogate pair. */
export const filterText = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), {
      error: 'must not hold NUL or half characters',
    });
