import { createHash } from 'node:crypto';
import { lstat, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { BackupFault } from '#contracts/operations/backups.ts';
import { isAbsent } from '../absent-file.ts';
import { reportProgress } from '../disk-worker/progress.ts';
import { StartupError } from '../program.ts';

/** Lists every other file of the backup that holds it. It is written last. */
export const checksumsName = 'checksums.json';

const format = 1;

const checksumList = z.strictObject({
  format: z.literal(format),
  /** By path in the backup, with `/` on every system. */
  files: z.record(z.string(), z.strictObject({ bytes: z.int().nonnegative(), sha256: z.string() })),
  /** Of this file's own canonical JSON without this member: no spaces, names in the order of their code units. In hex, like all. */
  sha256: z.string(),
});
type Files = z.output<typeof checksumList>['files'];

const headline = z.looseObject({ format: z.int() });

const canonical = (files: Files): string => {
  const sorted = Object.keys(files)
    .toSorted()
    .map((name) => [name, { bytes: files[name]?.bytes, sha256: files[name]?.sha256 }]);
  return JSON.stringify({ files: Object.fromEntries(sorted), format });
};

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Hashes files one after another; most are small, and a buffer for each would be most of the work. */
const createHasher = () => {
  const buffer = Buffer.allocUnsafe(2 ** 18);
  return async (path: string): Promise<string> => {
    await using file = await open(path, 'r');
    const hash = createHash('sha256');
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
      reportProgress(bytesRead);
    }
  };
};

const atOnce = 4;

/** Several at once, since a small file takes more waiting than work. Ends early once `work` returns something. */
const forEach = async <T>(
  names: readonly string[],
  work: (name: string, hashFile: ReturnType<typeof createHasher>) => Promise<T | null>,
): Promise<T | null> => {
  const left = [...names];
  let result: T | null = null;
  const run = async () => {
    const hashFile = createHasher();
    for (let name = left.pop(); name !== undefined && result === null; name = left.pop()) {
      const found = await work(name, hashFile);
      reportProgress();
      result ??= found;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  return result;
};

/** The paths of all files in a folder, with `/`. Whatever is neither a folder nor a file counts as one. */
const filesIn = async (folder: string, prefix = ''): Promise<string[]> => {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    const name = prefix + entry.name;
    if (entry.isDirectory()) found.push(...(await filesIn(folder, `${name}/`)));
    else found.push(name);
  }
  return found;
};

/** Lists the files of a backup with their sizes and SHA-256. */
export const writeChecksums = async (backup: string): Promise<void> => {
  const files: Files = {};
  await forEach(await filesIn(backup), async (name, hashFile) => {
    const path = join(backup, name);
    const { size } = await lstat(path);
    files[name] = { bytes: size, sha256: await hashFile(path) };
    return null;
  });
  const list: z.input<typeof checksumList> = { format, files, sha256: sumOf(canonical(files)) };
  await writeFile(join(backup, checksumsName), JSON.stringify(list), { mode: 0o600 });
};

interface BackupCheck {
  /** `all` reads every file; `sizes` reads none; a name stands for that file alone, which is read. */
  readonly extent: 'all' | 'sizes' | { readonly file: string };
  /** Whether the backup says that it has a list; those of earlier versions have none. */
  readonly isListed: boolean;
}

/**
 * Compares a backup with its list of checksums.
 * @returns the first fault; null if there is none, or if neither is there a list nor does the backup say so
 */
export const findBackupFault = async (
  backup: string,
  { extent, isListed }: BackupCheck,
): Promise<BackupFault | null> => {
  const list = await readList(backup);
  if ('code' in list) return list.code === 'missing' && !isListed ? null : list;
  const one = typeof extent === 'object' ? extent.file : null;
  const names = Object.keys(list.files).filter((name) => one === null || name === one);
  const fault = await forEach(names, async (name, hashFile) => {
    const listed = list.files[name];
    return listed ? findFileFault(backup, name, listed, extent === 'sizes' ? null : hashFile) : null;
  });
  if (fault !== null || one !== null) return fault;
  const isListedFile = (name: string) => name === checksumsName || Object.hasOwn(list.files, name);
  const extra = (await filesIn(backup)).find((name) => !isListedFile(name));
  return extra === undefined ? null : { code: 'extra', file: extra };
};

const findFileFault = async (
  backup: string,
  name: string,
  { bytes, sha256 }: Files[string],
  hashFile: ReturnType<typeof createHasher> | null,
): Promise<BackupFault | null> => {
  const path = join(backup, name);
  try {
    const stats = await lstat(path);
    const isSame =
      stats.isFile() && stats.size === bytes && (hashFile === null || (await hashFile(path)) === sha256);
    return isSame ? null : { code: 'changed', file: name };
  } catch (error) {
    return {
      code: isAbsent(error) ? 'missing' : 'unreadable',
      file: name,
    };
  }
};

const readList = async (backup: string): Promise<{ readonly files: Files } | BackupFault> => {
  const file = checksumsName;
  let text: string;
  try {
    text = await readFile(join(backup, file), 'utf8');
  } catch (error) {
    return { code: isAbsent(error) ? 'missing' : 'unreadable', file };
  }
  try {
    const json: unknown = JSON.parse(text);
    if (headline.parse(json).format > format) return { code: 'newer', file };
    const { files, sha256 } = checksumList.parse(json);
    return sumOf(canonical(files)) === sha256 ? { files } : { code: 'changed', file };
  } catch {
    return { code: 'changed', file };
  }
};

/** For the command line. */
export const backupFaultText = (backup: string, { code, file }: BackupFault): string => {
  switch (code) {
    case 'changed':
      return `${backup} is damaged: ${file} has changed since it was made. Choose another backup.`;
    case 'missing':
      return `${backup} is not whole: ${file} is missing. Choose another backup.`;
    case 'extra':
      return `${backup} holds a file that is no part of it: ${file}. Move it away, then restore again.`;
    case 'unreadable':
      return `${file} in ${backup} cannot be read. Copy the backup to another disk, or choose another one.`;
    case 'newer':
      return `${backup} was made by a newer version. Install that version, then restore again.`;
  }
};

/** @throws {StartupError} with the first fault */
export const demandSoundBackup = async (backup: string, check: BackupCheck): Promise<void> => {
  const fault = await findBackupFault(backup, check);
  if (fault !== null) throw new StartupError(backupFaultText(backup, fault));
};
