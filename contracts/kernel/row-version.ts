import * as z from 'zod';

/** The version that a change of a row is based on. The changed row has the next one, in a column of 32 bits. */
export const rowVersion = z
  .int()
  .min(0)
  .max(2 ** 31 - 2);
