import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { readExportedText } from '#runtime/windows/registry-export.ts';
import { type RunSystemProgram, runSystemProgram } from '#runtime/windows/system-program.ts';

/** Where a silent installer for Windows writes why it has given up: `<version>: <reason>`. */
const setup = { key: 'HKLM\\Software\\Castellan\\Setup', name: 'LastFailure' } as const;
/** Where it has put the program. */
const place = {
  key: 'HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Castellan',
  name: 'InstallLocation',
} as const;

/** What the installer wrote there, as only an administrator can; null when it did not. */
const readSetupText = async (
  { key, name }: typeof setup | typeof place,
  runProgram: RunSystemProgram,
): Promise<string | null> => {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-setup-'));
  try {
    // Through a file, since reg prints in the code page of the machine.
    const file = join(folder, 'setup.reg');
    await runProgram('reg.exe', ['export', key, file, '/y', '/reg:64']);
    return readExportedText(await readFile(file), name);
  } catch {
    // There is no such key.
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** The installer's own words about its last failure with a version; null when there are none. */
export const lastSetupFailure = async (
  version: string,
  runProgram: RunSystemProgram = runSystemProgram,
): Promise<string | null> => {
  const told = await readSetupText(setup, runProgram);
  const start = `${version}: `;
  return told?.startsWith(start) ? told.slice(start.length) : null;
};

/** Whether the installer has put the programs where they are. */
export const isInstalledIn = async (
  programsFolder: string,
  runProgram: RunSystemProgram = runSystemProgram,
): Promise<boolean> => {
  const folder = await readSetupText(place, runProgram);
  return (
    folder !== null && win32.relative(win32.join(folder, 'resources', 'programs'), programsFolder) === ''
  );
};
