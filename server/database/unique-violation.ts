/** Whether a unique index of this name forbade what was written. */
export const isTaken = (error: unknown, index: string): boolean => {
  const { code, constraint } = error as { readonly code?: string; readonly constraint?: string };
  return code === '23505' && constraint === index;
};
