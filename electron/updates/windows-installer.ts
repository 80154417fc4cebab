import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { releaseFileName } from '#runtime/release/release-manifest.ts';
import { compareVersions, releaseVersionPattern } from '#runtime/release/version-order.ts';
import { readExportedText } from '#runtime/windows/registry-export.ts';
import { type RunSystemProgram, runSystemProgram } from '#runtime/windows/system-program.ts';
import { readKeptInstaller, readKeptRelease } from './kept-installers.ts';
import type { UpdateSource } from './update-source.ts';
import { UpdateTroubleError } from './update-trouble.ts';

/** SYSTEM and the administrators, by number, since their names are translated. */
const administrators = ['*S-1-5-18:(OI)(CI)F', '*S-1-5-32-544:(OI)(CI)F'];

/** Silent; an upgrade, which starts the program again for the user who is signed in. */
const installerArguments = ['/S', '--updated', '--force-run'] as const;
/** Back to the version that was kept. */
const downgradeArgument = '/ALLOW-DOWNGRADE';

/**
 * The elevated half of an update on Windows: copies the installer to where no other account can replace it, verifies it
 * there against the keys of the installed program, and starts it. The installer then also replaces the program that runs this.
 * Of earlier versions only the one that this one has replaced: any other was signed as well, and may have faults that are known.
 * @throws {UpdateTroubleError} when it is not what was signed, or another earlier version
 */
export const runInstaller = async (options: {
  /** Holds the installer and its signed release; the user may have changed both since they were checked. */
  readonly from: string;
  readonly version: string;
  /** Windows's folder for programs, which only administrators may write. */
  readonly programFiles: string;
  readonly source: UpdateSource;
  readonly installed: string;
  readonly close?: (folder: string) => Promise<void>;
  readonly runProgram?: RunSystemProgram;
}): Promise<void> => {
  const { from, version, programFiles, source, installed, close = closeToAdministrators } = options;
  if (!releaseVersionPattern.test(version)) throw new UpdateTroubleError('damaged', 'That is no version.');
  const isOlder = compareVersions(version, installed) < 0;
  if (isOlder && (await replacedBy(installed, options.runProgram)) !== version)
    throw new UpdateTroubleError(
      'replayed',
      `${version} is older than ${installed}, which has not replaced it on this machine.`,
    );
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

/** What the installer for Windows writes here no one else can but administrators. */
const setupKey = 'HKLM\\Software\\Castellan\\Setup';
/** Why a silent one has given up: `<version>: <reason>`. */
const setup = { key: setupKey, name: 'LastFailure' } as const;
/** Where it has put the program. */
const place = {
  key: 'HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Castellan',
  name: 'InstallLocation',
} as const;

/**
 * The version in whose place the installer has put this one, as it has recorded; null when it recorded none, or what is
 * recorded is no version.
 */
export const replacedBy = async (
  version: string,
  runProgram: RunSystemProgram = runSystemProgram,
): Promise<string | null> => {
  const name = `Before-${version}`;
  // Not through a file, like the texts below: an administrator's temporary files are where others may write, too.
  const printed = await runProgram('reg.exe', ['query', setupKey, '/v', name, '/reg:64']).catch(() => '');
  for (const line of printed.split(/\r?\n/)) {
    const [found, type, text = '', more] = line.trim().split(/\s+/);
    if (found === name && type === 'REG_SZ' && more === undefined && releaseVersionPattern.test(text))
      return text;
  }
  return null;
};

/** What the installer wrote there, as only an administrator can; null when it did not. */
const readSetupText = async (
  { key, name }: typeof setup | typeof place,
  runProgram: RunSystemProgram,
): Promise<string | null> => {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-setup-'));
  try {
    // Through a file, since reg prints in the code page of the machine.
    const file = join(folder, 'setup.reg');
    await runProgram('reg.exe', ['export', key, file, '/y', '/reg:64']);
    return readExportedText(await readFile(file), name);
  } catch {
    // There is no such key.
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** The installer's own words about its last failure with a version; null when there are none. */
export const lastSetupFailure = async (
  version: string,
  runProgram: RunSystemProgram = runSystemProgram,
): Promise<string | null> => {
  const told = await readSetupText(setup, runProgram);
  const start = `${version}: `;
  return told?.startsWith(start) ? told.slice(start.length) : null;
};

/** Whether the installer has put the programs where they are. */
export const isInstalledIn = async (
  programsFolder: string,
  runProgram: RunSystemProgram = runSystemProgram,
): Promise<boolean> => {
  const folder = await readSetupText(place, runProgram);
  return (
    folder !== null && win32.relative(win32.join(folder, 'resources', 'programs'), programsFolder) === ''
  );
};
