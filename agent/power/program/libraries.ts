import { isAbsolute, resolve } from 'node:path';
import type { ProgramFault } from '#contracts/kernel/program-faults.ts';
import type { GameExit } from '../holder/holder-record.ts';
import { fault } from './fault.ts';
import { isLinuxLibraryThere, missingLinuxLibrary, readElfFile } from './linux-libraries.ts';
import { isWindowsLibraryThere, missingWindowsLibrary } from './windows-libraries.ts';

const isWindows = process.platform === 'win32';

/**
 * The exit codes of a run that did not reach the program. Linux: of glibc's dynamic linker, shells and `setpriv`; Windows:
 * STATUS_INVALID_IMAGE_FORMAT and STATUS_DLL_NOT_FOUND (ntstatus.h).
 */
const loadFailures: readonly number[] = isWindows ? [0xc000007b, 0xc0000135] : [126, 127];
export const isLoadFailure = ({ code }: GameExit): boolean => code !== null && loadFailures.includes(code);

/** Whether a library that the program needs is missing, by its own list; null when none is, or when that cannot be told. */
export const libraryFault = async (path: string, folder: string): Promise<ProgramFault | null> => {
  const missing = isWindows ? await missingWindowsLibrary(path, folder) : await missingLinuxLibrary(path);
  return missing === null ? null : fault('library-missing', path, missing);
};

const isLibraryThere = (path: string, name: string, folder: string): Promise<boolean> =>
  isWindows ? isWindowsLibraryThere(path, name, folder) : isLinuxLibraryThere(path, name, folder);

/** The same fault if the library is still missing. */
export const stillMissing = async (known: ProgramFault, folder: string): Promise<ProgramFault | null> => {
  const [path = '', name = ''] = known.values;
  return (await isLibraryThere(path, name, folder)) ? null : known;
};

/** glibc's and musl's words; both are never translated. */
const linkerMessages = [
  /^(?<program>.+?): error while loading shared libraries: (?<library>[^:]+): cannot open shared object file/,
  /^Error loading shared library (?<library>[^:]+): .* \(needed by (?<program>.+)\)$/,
];

/**
 * The library whose absence the dynamic linker reported, if it really is not there.
 * @param path the game's program, which may be a script that runs the one that the linker names
 */
export const reportedLibrary = async (
  lines: readonly string[],
  path: string,
  folder: string,
): Promise<ProgramFault | null> => {
  if (isWindows) return libraryFault(path, folder);
  for (const line of lines.toReversed())
    for (const pattern of linkerMessages) {
      const { program, library } = pattern.exec(line)?.groups ?? {};
      if (program === undefined || library === undefined) continue;
      const named = isAbsolute(program) ? program : resolve(folder, program);
      const loaded = (await readElfFile(named)) === null ? path : named;
      return stillMissing(fault('library-missing', loaded, library), folder);
    }
  return null;
};
