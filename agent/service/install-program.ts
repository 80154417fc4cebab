import { randomUUID } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getRawAsset, isSea } from 'node:sea';
import { whenNotBusy } from '#runtime/busy-file.ts';
import { syncFile, syncFolder } from '#runtime/disk-sync.ts';
import type { AgentHome } from '../configuration/agent-home.ts';
import { ServiceError } from './service-error.ts';

const suffix = process.platform === 'win32' ? '.exe' : '';
export const hostFile = 'service-host.exe';

interface Part {
  readonly name: string;
  /** A file, or what it is to hold. */
  readonly from: string | Uint8Array;
}

/** The files of this very program; of the single executable that is one. */
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

/** Shawl, which brings the agent to Windows's service manager: in the single executable, or beside agent.mjs. */
const hostParts = (): readonly Part[] => {
  if (!isSea()) return [{ name: hostFile, from: join(dirname(process.argv[1] ?? ''), hostFile) }];
  return [hostFile, hostLicense].map((name) => ({ name, from: new Uint8Array(getRawAsset(name)) }));
};

export interface InstalledProgram {
  /** What starts the agent, with whole paths. */
  readonly command: readonly [string, ...string[]];
}

/**
 * Copies this program into the home, each file at one stroke: a running one goes on with the file before.
 * @throws {ServiceError}
 */
export const installProgram = async ({ programFolder }: AgentHome): Promise<InstalledProgram> => {
  const parts = ownParts();
  try {
    await mkdir(programFolder, { recursive: true, mode: 0o755 });
    await removeLeftovers(programFolder);
    for (const part of process.platform === 'win32' ? [...parts, ...hostParts()] : parts)
      await putPart(part, programFolder);
    await syncFolder(programFolder);
  } catch (error) {
    throw new ServiceError(
      `The program could not be copied to ${programFolder}: ${(error as Error).message}`,
    );
  }
  const [first, ...rest] = parts.map(({ name }) => join(programFolder, name));
  return { command: [first ?? '', ...rest] };
};

const putPart = async ({ name, from }: Part, folder: string): Promise<void> => {
  const target = join(folder, name);
  const isItself =
    typeof from === 'string' && (await realpath(from)) === (await realpath(target).catch(() => null));
  if (isItself) return;
  const half = join(folder, `.half-${randomUUID()}${suffix}`);
  try {
    await (typeof from === 'string' ? copyFile(from, half) : writeFile(half, from));
    await chmod(half, 0o755);
    await syncFile(half);
    // Windows refuses to write over a running program, and lets it be renamed.
    if (process.platform === 'win32')
      await rename(target, join(folder, `.old-${randomUUID()}${suffix}`)).catch(ignoreAbsence);
    await whenNotBusy(() => rename(half, target));
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
};

/** Of copies that were interrupted, and programs that ran when they were replaced. */
const removeLeftovers = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder))
    if (/^\.(?:half|old)-/.test(name)) await rm(join(folder, name), { force: true }).catch(() => undefined);
};

const ignoreAbsence = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
};
