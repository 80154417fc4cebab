import { open } from 'node:fs/promises';
import { type Archive, ArchiveError, type ArchiveLimits, usualLimits } from './archive.ts';
import { checkTogether } from './check-paths.ts';
import { readEntries } from './read-entries.ts';
import { readPacked } from './read-packed.ts';
import { unpackEntries } from './unpack-entries.ts';
import { ZipBytes } from './zip-bytes.ts';

/**
 * Opens a zip; the caller must dispose it.
 * @throws {ArchiveError} when it cannot be trusted; errors of the file system unchanged
 */
export const openArchive = async (path: string, limits: ArchiveLimits = usualLimits): Promise<Archive> => {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const entries = await readEntries(new ZipBytes(file, size), size, limits);
    const byPath = Map.groupBy(
      entries.filter(({ isFolder }) => !isFolder),
      (entry) => entry.path,
    );
    let isChecked = false;
    const checkPaths = () => {
      if (!isChecked) checkTogether(entries, limits.path);
      isChecked = true;
    };
    return {
      entries,
      checkPaths,
      read: async (wanted, mostBytes) => {
        const [entry, twin] = byPath.get(wanted) ?? [];
        if (entry === undefined) throw new ArchiveError('damaged', `“${wanted}” is not in the archive.`);
        if (twin !== undefined) throw new ArchiveError('duplicate', `“${wanted}” is in there twice.`);
        if (entry.bytes > mostBytes)
          throw new ArchiveError('too-large', `“${wanted}” is larger than ${mostBytes} bytes.`);
        return readPacked(file, entry);
      },
      unpack: async (folder, options) => {
        checkPaths();
        return unpackEntries({ file, entries, limits }, folder, options);
      },
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
};
