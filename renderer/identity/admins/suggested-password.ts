/** Without letters that are confused when read aloud or copied by hand; 32, so that 5 bits choose evenly. */
const signs = 'abcdefghijkmnpqrstuvwxyz23456789';
const groups = 4;
const groupSigns = 5;

/** A password of 100 random bits, in groups: `k7m2x-…`. */
export const suggestedPassword = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(groups * groupSigns));
  const text = [...bytes].map((byte) => signs[byte % signs.length]).join('');
  return Array.from({ length: groups }, (_, index) =>
    text.slice(index * groupSigns, (index + 1) * groupSigns),
  ).join('-');
};
