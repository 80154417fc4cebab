/** What the security descriptor of a file or folder on Windows says; accounts are SIDs. */
export interface SecurityDescriptor {
  /** Null where it is not told. */
  readonly owner: string | null;
  /** Those that are allowed something, each once; entries that only pass something on to new files count as well. */
  readonly allowed: readonly string[];
}

/** The abbreviations of SDDL for accounts that are the same on every machine ([MS-DTYP] 2.5.1.1). */
const sameEverywhere: Readonly<Record<string, string>> = {
  AN: 'S-1-5-7',
  AO: 'S-1-5-32-548',
  AC: 'S-1-15-2-1',
  AS: 'S-1-18-1',
  AU: 'S-1-5-11',
  BA: 'S-1-5-32-544',
  BG: 'S-1-5-32-546',
  BO: 'S-1-5-32-551',
  BU: 'S-1-5-32-545',
  CD: 'S-1-5-32-574',
  CG: 'S-1-3-1',
  CO: 'S-1-3-0',
  CY: 'S-1-5-32-569',
  ED: 'S-1-5-9',
  ER: 'S-1-5-32-573',
  HA: 'S-1-5-32-578',
  IS: 'S-1-5-32-568',
  IU: 'S-1-5-4',
  LS: 'S-1-5-19',
  LU: 'S-1-5-32-559',
  MU: 'S-1-5-32-558',
  NO: 'S-1-5-32-556',
  NS: 'S-1-5-20',
  NU: 'S-1-5-2',
  OW: 'S-1-3-4',
  PO: 'S-1-5-32-550',
  PS: 'S-1-5-10',
  PU: 'S-1-5-32-547',
  RC: 'S-1-5-12',
  RD: 'S-1-5-32-555',
  RE: 'S-1-5-32-552',
  RM: 'S-1-5-32-580',
  RU: 'S-1-5-32-554',
  SO: 'S-1-5-32-549',
  SS: 'S-1-18-2',
  SU: 'S-1-5-6',
  SY: 'S-1-5-18',
  UD: 'S-1-5-84-0-0-0-0-0',
  WD: 'S-1-1-0',
  WR: 'S-1-5-33',
};

/** Those of the machine or its domain, whose number is not in the text. */
const ofDomain: Readonly<Record<string, number>> = {
  LA: 500,
  LG: 501,
  DA: 512,
  DU: 513,
  DG: 514,
  DC: 515,
  DD: 516,
  SA: 518,
  EA: 519,
  PA: 520,
  RS: 553,
};

const everyone = 'S-1-1-0';

/**
 * Reads a security descriptor as text (SDDL, as `Get-Acl` prints it), which no language of Windows changes.
 * @returns null for anything else
 */
export const readSddl = (text: string): SecurityDescriptor | null => {
  const parts =
    /^(?:O:([A-Z]{2}|S-[\d-]+))?(?:G:(?:[A-Z]{2}|S-[\d-]+))?(?:D:([A-Z_]*)(\(.*\))?)?(?:S:[A-Z_]*(?:\(.*\))?)?$/.exec(
      text.trim(),
    );
  if (parts === null || text.trim() === '') return null;
  const [, owner, flags, entries = ''] = parts;
  return {
    owner: owner === undefined ? null : sidOf(owner),
    // Without a list, Windows allows everything to everyone.
    allowed: flags === undefined || flags.includes('NO_ACCESS_CONTROL') ? [everyone] : allowedBy(entries),
  };
};

/** The kinds of entries that allow something: plain, of an object, and both with a condition. */
const allowing: ReadonlySet<string> = new Set(['A', 'OA', 'XA', 'ZA']);

const allowedBy = (entries: string): string[] => {
  const fields = entries.matchAll(/\(([A-Z]+);[^;()]*;([^;()]*);[^;()]*;[^;()]*;([^;()]+)/g);
  const accounts = Array.from(fields, ([, kind = '', rights = '', account = '']) =>
    allowing.has(kind) && !/^(?:0x0+)?$/.test(rights) ? [sidOf(account)] : [],
  );
  return [...new Set(accounts.flat())];
};

const sidOf = (account: string): string => {
  const number = ofDomain[account];
  return number === undefined ? (sameEverywhere[account] ?? account) : `S-1-5-21-domain-${number}`;
};
