import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getRawAsset, isSea } from 'node:sea';
import { ifAbsent } from '#runtime/absent-file.ts';
import { whenNotBusy } from '#runtime/busy-file.ts';
import { syncFile, syncFolder } from '#runtime/disk-sync.ts';
import type { AgentHome } from '../configuration/agent-home.ts';
import { asOwnerOf } from '../configuration/as-owner.ts';
import { ServiceError } from './service-error.ts';

const suffix = process.platform === 'win32' ? '.exe' : '';
export const hostFile = 'service-host.exe';

interface Part {
  readonly name: string;
  /** A file, or the content to write. */
  readonly from: string | Uint8Array;
}

interface ReadPart {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Null: the content is from no file. */
  readonly path: string | null;
}

/** The files of this program; the single executable is just one. */
const ownParts = (): readonly [Part, ...Part[]] => {
  const script = process.argv[1] ?? '';
  if (isSea()) return [{ name: `castellan-agent${suffix}`, from: process.execPath }];
  if (!script.endsWith('.mjs'))
    throw new ServiceError('Only the finished program can be installed: castellan-agent, or agent.mjs.');
  return [
    { name: `node${suffix}`, from: process.execPath },
    { name: 'agent.mjs', from: script },
  ];
};

const hostLicense = 'service-host.txt';

/** Shawl, which connects the agent to Windows's service manager: in the single executable, or beside agent.mjs. */
const hostParts = (): readonly Part[] => {
  if (!isSea()) return [{ name: hostFile, from: join(dirname(process.argv[1] ?? ''), hostFile) }];
  return [hostFile, hostLicense].map((name) => ({ name, from: new Uint8Array(getRawAsset(name)) }));
};

interface InstalledProgram {
  /** The command that starts the agent, with absolute paths. */
  readonly command: readonly [string, ...string[]];
}

/**
 * Copies this program into the data folder, each file atomically: a running one keeps using the previous file.
 * @throws {ServiceError}
 */
export const installProgram = async ({ programFolder }: AgentHome): Promise<InstalledProgram> => {
  const parts = ownParts();
  try {
    // Read first: the data folder's owner may not see where the program is now.
    const read = await Promise.all(
      (process.platform === 'win32' ? [...parts, ...hostParts()] : parts).map(readPart),
    );
    await asOwnerOf(programFolder, async () => {
      await mkdir(programFolder, { recursive: true, mode: 0o755 });
      await removeLeftovers(programFolder);
      for (const part of read) await putPart(part, programFolder);
      await syncFolder(programFolder);
    });
  } catch (error) {
    throw new ServiceError(
      `The program could not be copied to ${programFolder}: ${(error as Error).message}`,
    );
  }
  const [first, ...rest] = parts.map(({ name }) => join(programFolder, name));
  return { command: [first ?? '', ...rest] };
};

/**
 * Like `installProgram`, for a program that was downloaded only for this: whatever this process starts or names from now on is
 * the copy, since its own file is deleted.
 * @throws {ServiceError}
 */
export const moveIntoHome = async (home: AgentHome): Promise<void> => {
  const fetched = process.execPath;
  const { command } = await installProgram(home);
  if (!isSea() || fetched === command[0]) return;
  process.execPath = command[0];
  // Windows keeps the file of a running program; there the pasted command line deletes it.
  if (process.platform !== 'win32') await rm(fetched, { force: true });
};

const readPart = async ({ name, from }: Part): Promise<ReadPart> =>
  typeof from === 'string'
    ? { name, bytes: await readFile(from), path: await realpath(from) }
    : { name, bytes: from, path: null };

const putPart = async ({ name, bytes, path }: ReadPart, folder: string): Promise<void> => {
  const target = join(folder, name);
  if (path !== null && path === (await realpath(target).catch(() => null))) return;
  const half = join(folder, `.half-${randomUUID()}${suffix}`);
  try {
    await writeFile(half, bytes, { flag: 'wx' });
    await chmod(half, 0o755);
    await syncFile(half);
    // Windows refuses to overwrite a running program, but allows renaming it.
    if (process.platform === 'win32')
      await whenNotBusy(() => rename(target, join(folder, `.old-${randomUUID()}${suffix}`))).catch(
        ifAbsent(undefined),
      );
    await whenNotBusy(() => rename(half, target));
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
};

/** Left by interrupted copies, and by programs that ran when they were replaced. */
const removeLeftovers = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder))
    if (/^\.(?:half|old)-/.test(name)) await rm(join(folder, name), { force: true }).catch(() => undefined);
};
