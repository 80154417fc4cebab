import * as z from 'zod';
import type { Language } from '../language.ts';
import { installerCodes } from './installer-codes.ts';
import { processCodes } from './process-codes.ts';
import { serviceCodes } from './service-codes.ts';
import { systemCodes } from './system-codes.ts';
import type { WindowsCode } from './windows-code.ts';

/** A number that Windows has answered with, and to what. */
export const windowsAnswer = z.object({
  /** As a person would type it, such as `sc start Castellan-API`; its first word is the program. */
  asked: z.string().max(300),
  code: z.int(),
});
export type WindowsAnswer = z.infer<typeof windowsAnswer>;

/** All numbers with a sentence; what only one program means by a number first. */
export const windowsCodes: readonly WindowsCode[] = [
  ...serviceCodes,
  ...systemCodes,
  ...installerCodes,
  ...processCodes,
].toSorted((one, other) => Number(one.tool === undefined) - Number(other.tool === undefined));

/** HRESULT_FROM_WIN32: a number of winerror.h in its last 16 bits. */
const fromWin32 = 0x8007_0000;
const last16Bits = 0xffff;

/** So that an exit code says that it is Windows's number, and not one of the program. */
export const asExitCode = (windowsError: number): number => fromWin32 + (windowsError & last16Bits);

/** The number of winerror.h or ntstatus.h; some report it as a negative one, or in the form of `asExitCode`. */
export const plainCode = (code: number): number => {
  const unsigned = code >>> 0;
  return unsigned - (unsigned & last16Bits) === fromWin32 ? unsigned & last16Bits : unsigned;
};

/** @param tool the program that answered, such as `sc` */
const windowsCodeOf = (code: number, tool?: string): WindowsCode | null => {
  const plain = plainCode(code);
  return windowsCodes.find((row) => row.code === plain && (row.tool ?? tool) === tool) ?? null;
};

/** Windows's own codes are known by their hexadecimal form. */
export const shownCode = (code: number): string => {
  const plain = plainCode(code);
  return plain < firstOfWindows ? String(plain) : `0x${plain.toString(16).toUpperCase()}`;
};

/** What happened and what to do; null for a number without a sentence. */
export const windowsCodeText = (code: number, language: Language, tool?: string): string | null => {
  const row = windowsCodeOf(code, tool);
  return row && (language === 'pt-BR' ? row.pt : row.en);
};

const asks = (asked: string, code: number, language: Language): string =>
  language === 'pt-BR'
    ? `O Windows respondeu ${shownCode(code)} a: ${asked}`
    : `Windows answered ${shownCode(code)} to: ${asked}`;

/** The severities of NTSTATUS begin there: DBG_TERMINATE_PROCESS is the first that ends a process. */
const firstOfWindows = 0x4000_0000;

/** Whether an exit code is Windows's; a program's own mean something else in each. */
export const isWindowsEnd = (exitCode: number): boolean => exitCode >>> 0 >= firstOfWindows;

/** Why Windows ended a program; null for the program's own exit codes. */
export const processEndText = (exitCode: number, language: Language): string | null =>
  isWindowsEnd(exitCode) ? windowsCodeText(exitCode, language) : null;

/** The sentence where there is one; always the number, and what was asked. */
export const windowsAnswerText = ({ asked, code }: WindowsAnswer, language: Language): string => {
  const text = windowsCodeText(code, language, asked.split(' ', 1)[0]);
  return text === null ? asks(asked, code, language) : `${text} (${asks(asked, code, language)})`;
};
