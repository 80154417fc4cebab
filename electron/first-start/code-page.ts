import { codePageLabels, utf8CodePage } from '#runtime/windows/code-page.ts';

/** A letter takes at most two bytes in any of them. */
const lettersOf = (label: string): ReadonlySet<string> => {
  const decoder = new TextDecoder(label);
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const sequences = bytes.flatMap((first) => [[first], ...bytes.map((second) => [first, second])]);
  return new Set(sequences.flatMap((sequence) => [...decoder.decode(Uint8Array.from(sequence))]));
};

/** Marks what is not a letter. */
const replacement = '\uFFFD';

/** The letters of a text that a code page lacks; none for one that has all, or that we do not know. */
export const lettersOutside = (codePage: number | null, text: string): readonly string[] => {
  const label = codePage === null ? undefined : codePageLabels[codePage];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  const letters = [...new Set(text.replace(/[\x00-\x7F]/g, ''))];
  if (label === undefined || letters.length === 0) return [];
  const known = lettersOf(label);
  return letters.filter((letter) => letter === replacement || !known.has(letter));
};

/**
 * The letters in the path of Postgres's programs that rule it out. initdb runs SQL that names a file beside it, and the server reads
 * that as UTF-8: in any other code page, letters beyond ASCII fail at the very end (EnterpriseDB/edb-installers#156).
 */
export const lettersUnfitForPrograms = (codePage: number | null, folder: string): readonly string[] =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  codePage === null || codePage === utf8CodePage ? [] : [...new Set(folder.replace(/[\x00-\x7F]/g, ''))];
