import { open } from 'node:fs/promises';
import { type Archive, ArchiveError, type ArchiveLimits, usualLimits } from './archive.ts';
import { checkTogether } from './check-paths.ts';
import { readEntries } from './read-entries.ts';
import { readPacked } from './read-packed.ts';
import { unpackEntries } from './unpack-entries.ts';
import { type ByteSource, sourceOf, ZipBytes } from './zip-bytes.ts';

/**
 * Opens a zip; the caller must dispose it.
 * @throws {ArchiveError} when it cannot be trusted; errors of the file system unchanged
 */
export const openArchive = async (path: string, limits: ArchiveLimits = usualLimits): Promise<Archive> => {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await archiveOf(file, { size, limits, close: () => file.close() });
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** Opens a zip within a zip. @throws {ArchiveError} */
export const openArchiveBytes = (bytes: Buffer, limits: ArchiveLimits = usualLimits): Promise<Archive> =>
  archiveOf(sourceOf(bytes), { size: bytes.length, limits, close: () => Promise.resolve() });

const archiveOf = async (
  file: ByteSource,
  options: { readonly size: number; readonly limits: ArchiveLimits; readonly close: () => Promise<void> },
): Promise<Archive> => {
  const { size, limits, close } = options;
  const { entries, fault } = await readEntries(new ZipBytes(file, size), size, limits);
  const byPath = new Map(entries.flatMap((entry) => (entry.isFolder ? [] : [[entry.path, entry] as const])));
  const checkStructure = () => {
    if (fault !== null) throw fault;
  };
  return {
    entries,
    checkStructure,
    checkPaths() {
      checkStructure();
      checkTogether(entries, limits.path);
    },
    async read(wanted, mostBytes) {
      const entry = byPath.get(wanted);
      if (entry === undefined) throw new ArchiveError('damaged', `“${wanted}” is not in the archive.`);
      if (entry.bytes > mostBytes)
        throw new ArchiveError('too-large', `“${wanted}” is larger than ${mostBytes} bytes.`);
      return readPacked(file, entry);
    },
    async unpack(folder, unpacking) {
      checkStructure();
      return unpackEntries({ file, entries, limits }, folder, unpacking);
    },
    [Symbol.asyncDispose]: close,
  };
};
