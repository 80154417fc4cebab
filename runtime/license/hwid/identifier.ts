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
 * Numbers that the IEEE gives out, whose zeros count: EUI-64, as Windows prints it for NVMe (nsacyber/paccor#86) and Linux in
 * `wwid`, or as the second half of a 128-bit number whose first half is empty or the number of a namespace (Micron); NAA 5 of SAS and SATA disks. Each is the
 * maker's number and that of the piece.
 */
const registeredForms = [
  /^(?:(?:0000_){3}000[01]_)?(?<maker>[0-9a-f]{4}_[0-9a-f]{2})(?<piece>[0-9a-f]{2}_[0-9a-f]{4}_[0-9a-f]{4})\.?$/,
  /^eui\.(?:0{15}[01])?(?<maker>[0-9a-f]{6})(?<piece>[0-9a-f]{10})$/,
  /^(?:naa\.)?5(?<maker>[0-9a-f]{6})(?<piece>[0-9a-f]{9})$/,
];

/** Fewer digits than this are a counter that starts with each batch, or no number at all. */
const leastPieceDigits = 5;

const isRegistered = (spelling: string): boolean =>
  registeredForms.some((form) => {
    const { maker = '', piece = '' } = form.exec(spelling)?.groups ?? {};
    const digits = piece.replaceAll('_', '').replace(/^0+|0+$/g, '');
    return /[1-9a-f]/.test(maker) && digits.length >= leastPieceDigits;
  });

const charactersOf = (spelling: string): string =>
  spelling.replace(/^(?:naa|eui|uuid)\./, '').replace(/[^0-9a-z]/g, '');

/** Whether the characters alone hold enough, wherever they are from. */
export const isLongIdentifier = (raw: string): boolean =>
  capacityBits(charactersOf(raw.trim().toLowerCase())) >= minimumBits;

/**
 * A value in its one canonical spelling (only lower-case letters and digits), or null when it does not tell machines apart well
 * enough: a placeholder, or under 64 bits. A leading `naa.`, `eui.` or `uuid.` names the kind and is left out.
 */
export const usableIdentifier = (raw: string): string | null => {
  const spelling = raw.trim().toLowerCase();
  const characters = charactersOf(spelling);
  const tellsApart = isLongIdentifier(spelling) || isRegistered(spelling);
  return isPlaceholder(characters) || !tellsApart ? null : characters;
};
