/**
 * A name as it is compared: however it is written in upper or lower case, wide or composed, and whatever invisible
 * characters it holds, it is the same name.
 */
export const nameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
    // Upper case first: it unites letters that have two lower-case forms.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');
