/** A name in the form that is compared: upper or lower case, wide or composed letters and invisible characters make no difference. */
export const nameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
    // Upper case first: it unifies letters that have two lower-case forms.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');
