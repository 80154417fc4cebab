/** Cheapest to read first; the order is part of the HWID. */
export const identifierNames = ['machineId', 'smbiosUuid', 'diskSerial'] as const;
export type IdentifierName = (typeof identifierNames)[number];

const minimumBits = 64;

/** What boards report in place of a value, as far as it is long enough to pass for one. */
const placeholders = new Set([
  'defaultstring',
  'systemserialnumber',
  'notapplicable',
  'uninitialized',
  '03000200040005000006000700080009',
  '00020003000400050006000700080009',
]);

const placeholderShapes = [
  /^tobefilledby/,
  /^0?123456789/,
  // All 0, all F, deaddead…, deadbeef…: a short pattern repeated.
  /^(.{1,8})\1+$/,
];

const isPlaceholder = (characters: string): boolean =>
  placeholders.has(characters) || placeholderShapes.some((shape) => shape.test(characters));

/** Upper bound of the information in the characters, not counting the zeros that pad a shorter value. */
const capacityBits = (characters: string): number => {
  const significant = characters.replace(/^0+/, '').replace(/0+$/, '');
  return significant.length * Math.log2(alphabetSize(significant));
};

const alphabetSize = (characters: string): number => {
  if (/^\d*$/.test(characters)) return 10;
  return /^[0-9a-f]*$/.test(characters) ? 16 : 36;
};

/**
 * A value in its one canonical spelling (only lower-case letters and digits), or null when it does not tell machines apart well
 * enough: a placeholder, or under 64 bits.
 */
export const usableIdentifier = (raw: string): string | null => {
  const characters = raw.toLowerCase().replace(/[^0-9a-z]/g, '');
  if (isPlaceholder(characters) || capacityBits(characters) < minimumBits) return null;
  return characters;
};
