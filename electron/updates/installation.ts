import { chmod, cp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { processEndText, shownCode } from '#contracts/kernel/windows-codes/windows-answer.ts';
import { whenNotBusy } from '#runtime/busy-file.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import type { ReleasePlatform } from '#runtime/release/release-manifest.ts';
import type { RunElevated } from '../elevation/run-elevated.ts';
import { type KeptInstaller, readKeptInstaller } from './kept-installers.ts';
import type { UpdateSource } from './update-source.ts';
import { UpdateTroubleError } from './update-trouble.ts';
import { replacedBy } from './windows-installer.ts';

/** How this program was put on the machine, and is replaced. */
export interface Installation {
  readonly platform: ReleasePlatform;
  /**
   * Replaces the program with the content of an installer, or begins to; nothing of ours may run at the same time, and this
   * process must end right after.
   * @throws {UpdateTroubleError} leaving everything unchanged
   */
  install(kept: KeptInstaller): Promise<void>;
  /** The one earlier version that can be installed over this one; null: none. Without it, each can. */
  readonly wayBackFrom?: (installed: string) => Promise<string | null>;
}

export interface InstallationFacts {
  readonly platform: NodeJS.Platform;
  /** Whether an installer has put it where other accounts cannot replace it. */
  readonly isInstalled: boolean;
  /** The file of an AppImage. */
  readonly appImage: string | undefined;
  readonly runElevated: RunElevated;
  readonly keys: UpdateSource['keys'];
  /** Starts a program when this one has ended. */
  readonly startAfterwards: (program: string) => void;
}

/** Null: a program in a checkout or an unpacked folder does not replace itself. */
export const installationOf = (facts: InstallationFacts): Installation | null => {
  if (facts.platform === 'win32' && facts.isInstalled) return windowsInstallation(facts);
  const { appImage } = facts;
  return facts.platform === 'linux' && appImage !== undefined && isAbsolute(appImage)
    ? appImageInstallation(appImage, facts)
    : null;
};

const refusals = {
  refused: 'The installation was not allowed.',
  impossible: 'Only an administrator of this machine can install the update.',
  failed: 'The installer could not be started.',
} as const;

/** What an administrator runs is verified again where no one else can replace it; see windows-installer.ts. */
const windowsInstallation = ({ runElevated }: InstallationFacts): Installation => ({
  platform: 'win32-x64',
  async install({ folder, version }) {
    const { outcome, exitCode } = await runElevated({ act: 'update', folder, version });
    if (outcome === 'done') return;
    const why = processEndText(exitCode, 'en') ?? '';
    throw new UpdateTroubleError('not-elevated', `${refusals[outcome]} ${why} (${shownCode(exitCode)})`);
  },
  wayBackFrom: (installed) => replacedBy(installed),
});

/** The program is one file, which is replaced atomically. */
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
