/**
 * A text from the address in a form that the API accepts; undefined if nothing is left of it. Control characters for
 * terminals, and halves of characters, occur in nothing that is searched.
 */
export const textIn = (text: string | undefined, longest: number): string | undefined => {
  const plain = (text ?? '').replace(/[\p{Cc}\p{Cs}]/gu, '').trim();
  // Cut between two characters, never within one.
  return plain.slice(0, longest).replace(/\p{Cs}$/u, '') || undefined;
};
