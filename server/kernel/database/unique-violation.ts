import type { Refusal } from '../http/refusal.ts';

/** Whether a unique index of this name forbade what was written. */
export const isTaken = (error: unknown, index: string): boolean => {
  const { code, constraint } = error as { readonly code?: string; readonly constraint?: string };
  return code === '23505' && constraint === index;
};

/** The refusal if a unique index of this name forbids what is written, even by concurrent writers. */
export const refuseTaken = <Result>(
  work: Promise<Result>,
  index: string,
  refusal: Refusal,
): Promise<Result | Refusal> =>
  work.catch((error: unknown) => {
    if (!isTaken(error, index)) throw error;
    return refusal;
  });
