import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseFileName } from '#runtime/release/release-manifest.ts';
import { compareVersions, releaseVersionPattern } from '#runtime/release/version-order.ts';
import { runSystemProgram } from '#runtime/windows/system-program.ts';
import { readKeptInstaller, readKeptRelease } from './kept-installers.ts';
import type { UpdateSource } from './update-source.ts';
import { UpdateTroubleError } from './update-trouble.ts';

/** SYSTEM and the administrators, by number, since their names are translated. */
const administrators = ['*S-1-5-18:(OI)(CI)F', '*S-1-5-32-544:(OI)(CI)F'];

/** Silent; an upgrade, which starts the program again for the user who is signed in. */
const installerArguments = ['/S', '--updated', '--force-run'] as const;
/** Back to the version that was kept. */
const downgradeArgument = '/ALLOW-DOWNGRADE';

export interface RunInstallerOptions {
  /** Holds the installer and its signed release; the user may have changed both since they were checked. */
  readonly from: string;
  readonly version: string;
  /** Windows's folder for programs, which only administrators may write. */
  readonly programFiles: string;
  readonly source: UpdateSource;
  readonly installed: string;
  readonly close?: (folder: string) => Promise<void>;
}

/**
 * The elevated half of an update on Windows: copies the installer to where no other account can replace it, verifies it
 * there against the keys of the installed program, and starts it. The installer then also replaces the program that runs this.
 * @throws {UpdateTroubleError} when it is not what was signed
 */
export const runInstaller = async (options: RunInstallerOptions): Promise<void> => {
  const { from, version, programFiles, source, close = closeToAdministrators } = options;
  if (!releaseVersionPattern.test(version)) throw new UpdateTroubleError('damaged', 'That is no version.');
  const room = join(programFiles, 'Castellan Updates');
  await mkdir(room, { recursive: true });
  await removeLeft(room);
  const folder = await mkdtemp(join(room, `${version}-`));
  try {
    await close(folder);
    // Only these names: the installer would load a library that someone has put beside it.
    await copyFile(join(from, releaseFileName), join(folder, releaseFileName));
    const { file } = await readKeptRelease(folder, source.keys, 'win32-x64');
    await copyFile(join(from, file.name), join(folder, file.name));
    const kept = await readKeptInstaller(folder, source.keys, 'win32-x64');
    if (kept.version !== version)
      throw new UpdateTroubleError('forged', `It is ${kept.version}, and not ${version}.`);
    const isOlder = compareVersions(version, options.installed) < 0;
    const args = [...installerArguments, ...(isOlder ? [downgradeArgument] : [])];
    const child = spawn(kept.path, args, { detached: true, stdio: 'ignore', cwd: programFiles });
    await once(child, 'spawn');
    child.unref();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
};

const closeToAdministrators = async (folder: string): Promise<void> => {
  await runSystemProgram('icacls.exe', [folder, '/inheritance:r', '/grant:r', ...administrators]);
};

/** Removes what earlier updates left; what still runs stays. */
const removeLeft = async (room: string): Promise<void> => {
  for (const name of await readdir(room))
    await rm(join(room, name), { recursive: true, force: true }).catch(() => undefined);
};
