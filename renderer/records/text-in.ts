/**
 * A text of the address as the API takes one; undefined where nothing is left of it. Marks that steer terminals, and
 * halves of characters, are in nothing that is searched.
 */
export const textIn = (text: string | undefined, longest: number): string | undefined => {
  const plain = (text ?? '').replace(/[\p{Cc}\p{Cs}]/gu, '').trim();
  // Cut between two characters, never within one.
  return plain.slice(0, longest).replace(/\p{Cs}$/u, '') || undefined;
};
