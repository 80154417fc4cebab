import { chmod, cp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { whenNotBusy } from '#runtime/busy-file.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import type { ReleasePlatform } from '#runtime/release/release-manifest.ts';
import type { RunElevated } from '../elevation/run-elevated.ts';
import { type KeptInstaller, readKeptInstaller } from './kept-installers.ts';
import type { UpdateSource } from './update-source.ts';
import { UpdateTroubleError } from './update-trouble.ts';

/** How this program was put on the machine, and is replaced. */
export interface Installation {
  readonly platform: ReleasePlatform;
  /**
   * Replaces the program by what an installer holds, or begins to; nothing of ours may run meanwhile, and this
   * process has to end right after.
   * @throws {UpdateTroubleError} leaving everything as it was
   */
  install(kept: KeptInstaller): Promise<void>;
}

export interface InstallationFacts {
  readonly platform: NodeJS.Platform;
  /** By an installer, where other accounts cannot exchange it. */
  readonly isInstalled: boolean;
  /** Of an AppImage: its own file. */
  readonly appImage: string | undefined;
  /** Runs `castellan` with an administrator's rights. */
  readonly runCastellanElevated: (args: readonly string[]) => ReturnType<RunElevated>;
  readonly keys: UpdateSource['keys'];
  /** Starts a program when this one has ended. */
  readonly startAfterwards: (program: string) => void;
}

/** Null: what runs from a checkout or from an unpacked folder is not replaced by itself. */
export const installationOf = (facts: InstallationFacts): Installation | null => {
  if (facts.platform === 'win32' && facts.isInstalled) return windowsInstallation(facts);
  const { appImage } = facts;
  return facts.platform === 'linux' && appImage !== undefined && isAbsolute(appImage)
    ? appImageInstallation(appImage, facts)
    : null;
};

const refusals = {
  refused: 'Windows was not allowed to install it.',
  impossible: 'Only an administrator of this machine can install it.',
  failed: 'The installer could not be started.',
} as const;

/** What an administrator runs is checked once more where nobody else can exchange it; see run-installer.ts. */
const windowsInstallation = ({ runCastellanElevated }: InstallationFacts): Installation => ({
  platform: 'win32-x64',
  async install({ folder, version }) {
    const { outcome, exitCode } = await runCastellanElevated(['update', 'install', folder, version]);
    if (outcome !== 'done')
      throw new UpdateTroubleError('not-elevated', `${refusals[outcome]} (${exitCode})`);
  },
});

/** The one file that the program is gives way to another at one stroke. */
const appImageInstallation = (
  appImage: string,
  { keys, startAfterwards }: InstallationFacts,
): Installation => ({
  platform: 'linux-x64',
  async install({ folder }) {
    const half = join(dirname(appImage), `.${basename(appImage)}.part`);
    try {
      const { path } = await readKeptInstaller(folder, keys, 'linux-x64');
      await cp(path, half);
      await chmod(half, 0o755);
      await sync(half);
      await whenNotBusy(() => rename(half, appImage));
      await syncFolder(dirname(appImage));
    } catch (error) {
      await rm(half, { force: true }).catch(() => undefined);
      if (error instanceof UpdateTroubleError) throw error;
      throw new UpdateTroubleError(
        'disk',
        `${appImage} cannot be replaced: ${(error as Error).message}`,
        error,
      );
    }
    startAfterwards(appImage);
  },
});

const sync = async (path: string): Promise<void> => {
  await using file = await open(path, 'r+');
  await file.sync();
};
