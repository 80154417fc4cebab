import { type RunSystemProgram, runSystemProgram } from '#runtime/windows/system-program.ts';

/** The code pages that Windows can be set to (its "language for non-Unicode programs"), by their TextDecoder names. */
const decoders: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1250: 'windows-1250',
  1251: 'windows-1251',
  1252: 'windows-1252',
  1253: 'windows-1253',
  1254: 'windows-1254',
  1255: 'windows-1255',
  1256: 'windows-1256',
  1257: 'windows-1257',
  1258: 'windows-1258',
};

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
  const label = codePage === null ? undefined : decoders[codePage];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  const letters = [...new Set(text.replace(/[\x00-\x7F]/g, ''))];
  if (label === undefined || letters.length === 0) return [];
  const known = lettersOf(label);
  return letters.filter((letter) => letter === replacement || !known.has(letter));
};

const key = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Nls\\CodePage';

/** The code page in which this Windows passes paths to Postgres; null when it cannot be asked. */
export const readCodePage = async (run: RunSystemProgram = runSystemProgram): Promise<number | null> => {
  // An unknown code page raises no objection: the database's own start says what is wrong.
  const printed = await run('reg.exe', ['query', key, '/v', 'ACP']).catch(() => '');
  const number = /REG_SZ\s+(\d+)/.exec(printed)?.[1];
  return number === undefined ? null : Number(number);
};

/** Elsewhere paths are bytes, and accept any letter. */
export const pathCodePage = async (): Promise<number | null> =>
  process.platform === 'win32' ? readCodePage() : null;
