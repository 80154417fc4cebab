import { randomUUID } from 'node:crypto';
import { chmod, copyFile, link, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { briefMs, whenNotBusy } from '#runtime/busy-file.ts';
import { demandOwned } from '#runtime/owned-path.ts';
import type { HeldFile } from '../mod-files.ts';
import { isOwnerAlive, newOwner } from './cache-owner.ts';
import { FileHash, type FileHashes, hashFile, meets, type WantedHashes } from './hash-file.ts';
import { sweepPartials } from './partial-file.ts';

/**
 * Complete files, each named by its hashes: the folder itself is the index, and there is nothing else that could be damaged. The
 * time of the last use is the file's own time. A file is held through a second name for it, so that evicting it takes nothing
 * from its users.
 */
interface FileCache {
  readonly partialFolder: string;
  /** Verified again; null when it is missing, or its content has changed. */
  hold(wanted: WantedHashes, signal: AbortSignal): Promise<HeldFile | null>;
  /** Takes over a complete file by a rename. */
  add(path: string, hashes: FileHashes): Promise<HeldFile>;
  /** Evicts the least recently used files until the cache has no more than this many bytes; held files stay. */
  trim(mostBytes: number): Promise<void>;
}

const namePattern = /^([0-9a-f]{128})-([0-9a-f]{40})$/;

/** @throws {StartupError} when others may change the folder */
export const openFileCache = async (folder: string, mostBytes: number): Promise<FileCache> => {
  const [files, held, partialFolder] = ['files', 'held', 'partial'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const place of [folder, files, held, partialFolder]) {
    await mkdir(place, { recursive: true, mode: 0o700 });
    await demandOwned(place);
  }
  const holds = join(held, newOwner());
  await mkdir(holds, { mode: 0o700 });

  const sweep = async () => {
    for (const owner of await readdir(held))
      if (!isOwnerAlive(owner)) await rm(join(held, owner), { recursive: true, force: true });
    await sweepPartials(partialFolder);
  };
  const holdName = () => join(holds, randomUUID());
  const heldFile = async (path: string, hashes: FileHashes): Promise<HeldFile> => ({
    path,
    bytes: (await stat(path)).size,
    ...hashes,
    [Symbol.asyncDispose]: () => rm(path, { force: true }),
  });
  const find = async (wanted: WantedHashes): Promise<{ name: string; hashes: FileHashes } | null> => {
    if (wanted.sha512 === undefined && wanted.sha1 === undefined) return null;
    for (const name of await readdir(files)) {
      const [, sha512 = '', sha1 = ''] = namePattern.exec(name) ?? [];
      const hashes = { sha512, sha1 };
      if (meets(hashes, wanted)) return { name, hashes };
    }
    return null;
  };

  const trim = async (most: number) => {
    await sweep();
    const found = [];
    for (const name of await readdir(files)) {
      const path = join(files, name);
      const stats = await stat(path).catch(() => null);
      if (stats) found.push({ path, bytes: stats.size, isHeld: stats.nlink > 1, usedMs: stats.mtimeMs });
    }
    let bytes = found.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of found.toSorted((a, b) => a.usedMs - b.usedMs)) {
      if (bytes <= most) return;
      if (file.isHeld) continue;
      await whenNotBusy(() => rm(file.path, { force: true }), briefMs);
      bytes -= file.bytes;
    }
  };
  await trim(mostBytes);

  return {
    partialFolder,
    async hold(wanted, signal) {
      const found = await find(wanted);
      if (!found) return null;
      const [path, source] = [holdName(), join(files, found.name)];
      if (!(await tryLink(source, path))) return null;
      try {
        const hash = new FileHash();
        await hashFile(path, hash, signal);
        if (meets(hash.digest(), found.hashes)) {
          const now = new Date();
          await utimes(path, now, now);
          return await heldFile(path, found.hashes);
        }
        await rm(source, { force: true });
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
      await rm(path, { force: true });
      return null;
    },
    async add(path, hashes) {
      await chmod(path, 0o600);
      const [hold, place] = [holdName(), join(files, `${hashes.sha512}-${hashes.sha1}`)];
      // Held first: another process could evict it as soon as it has its name.
      if (!(await tryLink(path, hold))) throw new Error(`The file ${path} was deleted by another program.`);
      await whenNotBusy(() => rename(path, place));
      await trim(mostBytes);
      return heldFile(hold, hashes);
    },
    trim,
  };
};

/** Where a disk does not support links, a copy replaces the link. @returns false when the file is missing */
const tryLink = async (source: string, path: string): Promise<boolean> => {
  try {
    await link(source, path);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR'].includes(code)) throw error;
  }
  await copyFile(source, path);
  return true;
};
