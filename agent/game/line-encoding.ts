import { systemEnv } from '#runtime/system-env.ts';
import { codePageLabels, readCodePage } from '#runtime/windows/code-page.ts';

/** What most Windows machines of the west use. */
const usualEncoding = 'windows-1252';

/** The encoding of this machine for programs that do not write UTF-8, by its TextDecoder name. */
export const machineEncoding = async (): Promise<string> => {
  if (process.platform === 'win32') return codePageLabels[(await readCodePage()) ?? 1252] ?? usualEncoding;
  return localeEncoding(systemEnv());
};

/** By the locale's name: `zh_CN.GBK`, `ja_JP.eucJP`, `de_DE@euro`. */
export const localeEncoding = (env: Readonly<Record<string, string | undefined>>): string => {
  const locale = env.LANG ?? '';
  const told = /\.([\w-]+)/.exec(locale)?.[1] ?? (locale.endsWith('@euro') ? 'iso-8859-15' : '');
  const named = told.replace(/^euc(?=[jk])/i, 'euc-');
  return isKnownEncoding(named) && !/^utf-?8$/i.test(named) ? named : usualEncoding;
};

export const isKnownEncoding = (label: string): boolean => {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
};

/** Every other byte of the beginning is empty, as of ASCII in UTF-16 with the low byte first. */
const isUtf16 = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes.length >= 6 && [1, 3, 5].every((at) => bytes[at] === 0));

const utf8 = new TextDecoder('utf-8', { fatal: true });
const utf16 = new TextDecoder('utf-16le');

/** UTF-8 where it is valid, UTF-16 as PowerShell writes it, otherwise `encoding`. */
export const createLineDecoder = (encoding = usualEncoding) => {
  const other = new TextDecoder(encoding);
  /** @param isCut its end is missing, perhaps within a letter */
  return (bytes: Uint8Array, isCut = false): string => {
    if (isUtf16(bytes)) return utf16.decode(bytes.subarray(0, bytes.length - (bytes.length % 2)));
    try {
      if (!isCut) return utf8.decode(bytes);
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    } catch {
      return other.decode(bytes);
    }
  };
};

/** What kinds of lines these bytes have, for people; null when all of them are plain or UTF-8. */
export const seenEncoding = (bytes: Uint8Array, encoding: string): string | null => {
  const lines = Buffer.from(bytes).toString('latin1').split('\n').slice(1, -1);
  const counts = { utf16: 0, other: 0 };
  for (const line of lines) {
    const raw = Buffer.from(line.replace(/^\0+/, ''), 'latin1');
    if (isUtf16(raw)) counts.utf16 += 1;
    else
      try {
        utf8.decode(raw);
      } catch {
        counts.other += 1;
      }
  }
  if (counts.utf16 > 0) return 'UTF-16';
  return counts.other > 0 ? encoding : null;
};
