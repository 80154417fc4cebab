import { codePageLabels, utf8CodePage } from '../windows/code-page.ts';

/** `backslash`: one of its two bytes is that of `\`, where Postgres cuts the path (PostgreSQL bug 18735: `表`, `ソ`, `功`). */
type Spelling = 'plain' | 'backslash';

const backslash = 0x5c;

/** First bytes of a letter of two bytes; a letter takes at most two bytes in any of the code pages. */
const leads: Readonly<Record<number, readonly [from: number, to: number]>> = {
  932: [0x81, 0xfc],
  936: [0x81, 0xfe],
  949: [0x81, 0xfe],
  // What the encoding standard has below and above comes from Hong Kong's supplement, which Windows lacks.
  950: [0xa1, 0xf9],
};

/** What the encoding standard adds to Windows's tables: Hong Kong's supplement in 950, the later GB18030 in 936. */
const standardAlone: Readonly<Record<number, readonly (readonly [from: number, to: number])[]>> = {
  936: [
    ...[[0xa6d9, 0xa6f3] as const, [0xa8bc, 0xa8bc] as const, [0xa8bf, 0xa8bf] as const],
    ...[[0xa989, 0xa995] as const, [0xfe50, 0xfea0] as const],
  ],
  950: [[0xc6a1, 0xc8fe]],
};

const spellings = new Map<number, ReadonlyMap<string, Spelling>>();

const spellingsOf = (codePage: number, label: string): ReadonlyMap<string, Spelling> => {
  const known = spellings.get(codePage) ?? readSpellings(codePage, label);
  spellings.set(codePage, known);
  return known;
};

const readSpellings = (codePage: number, label: string): ReadonlyMap<string, Spelling> => {
  const decoder = new TextDecoder(label);
  const found = new Map<string, Spelling>();
  const note = (bytes: readonly number[]) => {
    const [letter = '', ...more] = decoder.decode(Uint8Array.from(bytes));
    // Two letters, or one that Windows reads otherwise.
    if (more.length > 0 || letter === replacement) return;
    const isCut = bytes.length > 1 && bytes.includes(backslash);
    if (isCut || !found.has(letter)) found.set(letter, isCut ? 'backslash' : 'plain');
  };
  for (let byte = 0; byte < 256; byte += 1) note([byte]);
  const [from, to] = leads[codePage] ?? [1, 0];
  for (let lead = from; lead <= to; lead += 1)
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      const pair = lead * 256 + trail;
      if (!standardAlone[codePage]?.some(([first, last]) => pair >= first && pair <= last))
        note([lead, trail]);
    }
  return found;
};

/** Windows' Korean code page has all syllables, which Node's decoder of `euc-kr` lacks; none of them has a backslash in it. */
const isKoreanSyllable = (codePage: number, letter: string): boolean =>
  codePage === 949 && /^[\uAC00-\uD7A3]$/.test(letter);

/** Marks what is not a letter. */
const replacement = '\uFFFD';

/** The letters of a text that Postgres cannot be given in a code page; none for one that has all, or that we do not know. */
export const lettersOutside = (codePage: number | null, text: string): readonly string[] => {
  const label = codePage === null ? undefined : codePageLabels[codePage];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  const letters = [...new Set(text.replace(/[\x00-\x7F]/g, ''))];
  if (codePage === null || label === undefined || letters.length === 0) return [];
  const known = spellingsOf(codePage, label);
  return letters.filter(
    (letter) =>
      letter === replacement || (known.get(letter) !== 'plain' && !isKoreanSyllable(codePage, letter)),
  );
};

/** What cannot be seen alone is named by its number. */
const shown = (letter: string): string =>
  /^[\p{M}\p{C}\p{Z}]$/u.test(letter)
    ? `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    : letter;

/** For people: which letters of a path the database cannot use; null when it can use all. @param of what is in the folder */
export const lettersFault = (
  codePage: number | null,
  path: string,
  of: 'data' | 'programs' = 'data',
): string | null => {
  const letters = of === 'data' ? lettersOutside(codePage, path) : lettersUnfitForPrograms(codePage, path);
  if (letters.length === 0) return null;
  const named = `On this machine, the database cannot use a folder with these letters: ${letters.map(shown).join(' ')}`;
  // As macOS and some archives write names: the umlaut is two letters, and only the joined one is in the code page.
  return lettersOutside(codePage, path.normalize('NFC')).length === 0
    ? `${named}. They are written as a letter and its accent apart: rename the folder, and type its name again.`
    : named;
};

/**
 * The letters in the path of Postgres's programs that rule it out. initdb runs SQL that names a file beside it, and the server reads
 * that as UTF-8: in any other code page, letters beyond ASCII fail at the very end (EnterpriseDB/edb-installers#156).
 */
export const lettersUnfitForPrograms = (codePage: number | null, folder: string): readonly string[] =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  codePage === null || codePage === utf8CodePage ? [] : [...new Set(folder.replace(/[\x00-\x7F]/g, ''))];
