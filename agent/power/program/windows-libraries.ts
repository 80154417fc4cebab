import { open, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { readPe } from './pe-file.ts';

/** Sets of functions that Windows itself provides under these names; no file has them. */
const isOfWindows = (name: string): boolean => /^(?:api|ext)-ms-/i.test(name);

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

const readPeFile = async (path: string) => {
  try {
    await using file = await open(path);
    return await readPe(file);
  } catch {
    return null;
  }
};

/** Where Windows looks for a program's libraries ("Dynamic-link library search order"), besides the program's own folder. */
const usualFolders = (machine: number, folder: string): readonly string[] => {
  // biome-ignore lint/style/noProcessEnv: of the machine
  const { SystemRoot = String.raw`C:\Windows`, PATH = '', Path = PATH } = process.env;
  const system = machine === 0x14c ? ['SysWOW64', 'System32'] : ['System32'];
  return [
    ...system.map((name) => join(SystemRoot, name)),
    join(SystemRoot, 'System'),
    SystemRoot,
    folder,
    ...Path.split(delimiter).filter(isAbsolute),
  ];
};

/**
 * The first library without which Windows does not load the program, by the program's own list; null when all are there.
 * @param folder the game's working folder
 */
export const missingWindowsLibrary = async (path: string, folder: string): Promise<string | null> => {
  const program = await readPeFile(path);
  for (const name of program?.needed ?? [])
    if (!(await isWindowsLibraryThere(path, name, folder))) return name;
  return null;
};

export const isWindowsLibraryThere = async (path: string, name: string, folder: string): Promise<boolean> => {
  if (isOfWindows(name)) return true;
  const { machine = 0 } = (await readPeFile(path)) ?? {};
  for (const one of [dirname(path), ...usualFolders(machine, folder)])
    if (await isFile(join(one, name))) return true;
  return false;
};
