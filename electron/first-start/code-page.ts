import { codePageLabels, readCodePage } from '#runtime/windows/code-page.ts';

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

/** In which this Windows passes paths to Postgres; an unknown one raises no objection. Elsewhere paths are bytes, and accept any letter. */
export const pathCodePage = async (): Promise<number | null> =>
  process.platform === 'win32' ? readCodePage() : null;
