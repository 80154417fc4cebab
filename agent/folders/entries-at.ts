import { basename, dirname, join } from 'node:path';
import { ifAbsent } from '#runtime/absent-file.ts';
import { type OpenedFolder, openNamedFolder } from './opened-folder.ts';

/** @returns null: the folder around it is gone */
const inFolderOf = async <Result>(
  path: string,
  act: (folder: OpenedFolder, name: string) => Promise<Result>,
): Promise<Result | null> => {
  await using folder = await openNamedFolder(dirname(path)).catch(ifAbsent(null));
  return folder && (await act(folder, basename(path)));
};

/** Whether an entry, which may be a link, is at the path. */
export const isThereAt = async (path: string): Promise<boolean> =>
  (await inFolderOf(path, (folder, name) => folder.isThere(name))) ?? false;

/** @param to in the same folder */
export const renameAt = async (path: string, to: string): Promise<void> => {
  const isMoved = await inFolderOf(path, async (folder, name) => {
    await folder.rename(name, basename(to));
    return true;
  });
  if (isMoved === null) throw Object.assign(new Error(`${path} is not there.`), { code: 'ENOENT', path });
};

/** With everything in it; one that is not there is no fault. */
export const removeAt = async (path: string): Promise<void> =>
  void (await inFolderOf(path, (folder, name) => folder.remove(name)));

/** The paths of the entries beside one, and its own, whose names fit. */
export const pathsBeside = async (path: string, fits: (name: string) => boolean): Promise<string[]> =>
  (await inFolderOf(path, async (folder) =>
    (
      await folder.names()
    )
      .map(String)
      .filter(fits)
      .map((name) => join(dirname(path), name)),
  )) ?? [];
