import { spawnSync } from 'node:child_process';
import { win32 } from 'node:path';

/** Where Windows and its folder for programs are, according to Windows itself. */
export interface WindowsFolders {
  /** Such as `C:\Windows`. */
  readonly root: string;
  /** Such as `C:\Program Files`. */
  readonly programFiles: string;
}

/** Every process loads it from Windows's own folder, before it reads any environment variable. */
const loadedByTheKernel = /^([a-z]:\\.+)\\system32\\ntdll\.dll$/i;

/** @param loaded full paths of the libraries of this process; null where Windows's own is not among them */
export const windowsRootIn = (loaded: readonly string[]): string | null => {
  for (const path of loaded) {
    const root = loadedByTheKernel.exec(path)?.[1];
    if (root !== undefined) return root;
  }
  return null;
};

const loadedLibraries = (): readonly string[] => {
  // Without this the report looks up the names of other machines, which takes long.
  Object.assign(process.report, { excludeNetwork: true });
  return (process.report.getReport() as { readonly sharedObjects: readonly string[] }).sharedObjects;
};

/** Accounts without an administrator's rights cannot write it. */
const programsKey = 'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion';
const programsValue = 'ProgramFilesDir';
const timeoutMs = 15_000;

/** @param printed the output of `reg query` for the value; null where it has no full path */
export const programFilesIn = (printed: string): string | null => {
  const found = new RegExp(`^\\s*${programsValue}\\s+REG_SZ\\s+([a-z]:\\\\.+?)\\s*$`, 'im').exec(printed);
  return found?.[1] ?? null;
};

/**
 * Asks Windows, not the environment: an account can set the variables of its programs, even of those that run with an
 * administrator's rights. Blocks the thread.
 * @throws when Windows does not report them
 */
export const readWindowsFolders = (): WindowsFolders => {
  const root = windowsRootIn(loadedLibraries());
  if (root === null) throw new Error("this process names no library of Windows's own folder");
  const system = win32.join(root, 'System32');
  const { stdout, error } = spawnSync(
    win32.join(system, 'reg.exe'),
    ['query', programsKey, '/v', programsValue, '/reg:64'],
    { encoding: 'utf8', env: { SystemRoot: root }, cwd: system, timeout: timeoutMs, windowsHide: true },
  );
  const programFiles = error ? null : programFilesIn(stdout);
  if (programFiles === null) throw new Error('the registry does not say where programs are installed');
  return { root, programFiles };
};
