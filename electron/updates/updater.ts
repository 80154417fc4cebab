import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppUpdater, UpdateInfo } from 'electron-updater';
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import type { InstallerFile, ReleaseManifest, ReleasePlatform } from '#runtime/release/release-manifest.ts';
import type { SignedRelease } from '#runtime/release/signed-release.ts';
import { compareVersions } from '#runtime/release/version-order.ts';
import { type Fetch, fetchInstaller, fetchRelease } from './fetch-release.ts';
import type { UpdateSource } from './update-source.ts';
import { UpdateTroubleError } from './update-trouble.ts';

/** The newest release that was ever seen, so that no one can offer an older one again. */
interface NewestSeen {
  readonly version: string;
  readonly releasedAt: string;
}

export interface UpdateStanding {
  readonly installed: string;
  readonly newestSeen: NewestSeen | null;
  readonly platform: ReleasePlatform | null;
  readonly now: Date;
}

type ReleaseVerdict =
  | { readonly verdict: 'offer'; readonly file: InstallerFile }
  | { readonly verdict: 'current' }
  /** Older than one that was already seen. */
  | { readonly verdict: 'replayed' }
  /** The server withholds newer ones, or one of the clocks is wrong. */
  | { readonly verdict: 'expired' }
  /** A version in between must be installed first. */
  | { readonly verdict: 'too-far' }
  | { readonly verdict: 'not-for-this-system' };

export interface OfferedRelease {
  readonly release: SignedRelease;
  readonly file: InstallerFile;
}

export interface Updater {
  /** Null: there is nothing newer. @throws {UpdateTroubleError} */
  check(signal: AbortSignal): Promise<OfferedRelease | null>;
  /** Downloads the last offer. @returns the path of a file that is exactly what was signed @throws {UpdateTroubleError} */
  download(signal: AbortSignal, onProgress: (received: number) => void): Promise<string>;
}

/**
 * electron-updater, which only we tell what there is (from signed releases, never from a latest.yml) and for which only we
 * download (no redirects, no more than was signed, no endless wait). It does not install: see installation.ts.
 * Loaded when first used, so that the window does not wait for it.
 */
export const createUpdater = async ({
  source,
  platform,
  folder,
  fetch,
  standing,
  onSeen,
}: {
  readonly source: UpdateSource;
  readonly platform: ReleasePlatform;
  /** Holds what it downloads. */
  readonly folder: string;
  readonly fetch: Fetch;
  readonly standing: () => UpdateStanding;
  readonly onSeen: (release: SignedRelease) => Promise<void>;
}): Promise<Updater> => {
  const { Provider } = await import('electron-updater/out/providers/Provider.js');
  const { CancellationToken } = await import('electron-updater/out/types.js');
  let offered: OfferedRelease | null = null;
  let asking: AbortSignal | undefined;
  let progress: (received: number) => void = () => undefined;

  const newest = async (): Promise<UpdateInfo> => {
    offered = null;
    const release = await fetchRelease(source, null, { fetch, signal: asking });
    const judged = judgeRelease(release.manifest, standing());
    if (judged.verdict !== 'offer' && judged.verdict !== 'current')
      throw new UpdateTroubleError(judged.verdict, verdictWords[judged.verdict]);
    await onSeen(release);
    const { version, releasedAt } = release.manifest;
    if (judged.verdict === 'current')
      return { version, files: [], path: '', sha512: '', releaseDate: releasedAt };
    const { name, size, sha512 } = judged.file;
    offered = { release, file: judged.file };
    return { version, files: [{ url: name, size, sha512 }], path: name, sha512, releaseDate: releasedAt };
  };

  class SignedReleases extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, surroundings: ProviderRuntimeOptions) {
      super(surroundings);
    }

    override getLatestVersion() {
      return newest();
    }

    override resolveFiles({ version, files }: UpdateInfo) {
      return files.map((info) => ({ url: new URL(`${version}/${info.url}`, source.url), info }));
    }
  }

  await mkdir(folder, { recursive: true, mode: 0o700 });
  const app = await adapt(folder, standing().installed);
  const updater = await updaterFor(platform, app);
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  const executor = {
    async download(url: URL, path: string) {
      if (!offered || !asking) throw new Error('nothing was offered');
      await fetchInstaller({
        fetch,
        url: url.href,
        path,
        expected: offered.file,
        onProgress: progress,
        signal: asking,
      });
    },
  };
  Object.assign(updater, { httpExecutor: executor });
  updater.setFeedURL({ provider: 'custom', updateProvider: SignedReleases });

  return {
    async check(signal) {
      asking = signal;
      const result = await updater.checkForUpdates();
      return result?.isUpdateAvailable ? offered : null;
    },
    async download(signal, onProgress) {
      asking = signal;
      progress = onProgress;
      const [path] = await updater.downloadUpdate(new CancellationToken());
      if (path === undefined) throw new Error('electron-updater names no file');
      return path;
    },
  };
};

const updaterFor = async (platform: ReleasePlatform, app: AppAdapter): Promise<AppUpdater> => {
  if (platform === 'win32-x64') {
    const { NsisUpdater } = await import('electron-updater/out/NsisUpdater.js');
    return new NsisUpdater(null, app);
  }
  const { AppImageUpdater } = await import('electron-updater/out/AppImageUpdater.js');
  return new AppImageUpdater(null, app);
};

/** What electron-updater asks of the program; it neither quits nor restarts anything. */
const adapt = async (folder: string, version: string): Promise<AppAdapter> => {
  const configPath = join(folder, 'folder.yml');
  // Where it puts things; it reads nothing else from there, since signed releases say what there is.
  await writeFile(configPath, 'updaterCacheDirName: download\n');
  const nothing = () => undefined;
  return {
    version,
    name: 'castellan',
    isPackaged: true,
    appUpdateConfigPath: configPath,
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: async () => undefined,
    relaunch: nothing,
    quit: nothing,
    onQuit: nothing,
  };
};

const verdictWords = {
  replayed: 'The update server offers an older version than before.',
  expired: 'The information on the update server is out of date, or the clock of this machine is wrong.',
  'too-far': 'Install a version in between first.',
  'not-for-this-system': 'The newest version is not available for this system.',
} as const;

/** Whether to install a release with a valid signature; derived only from known facts. */
export const judgeRelease = (
  manifest: ReleaseManifest,
  { installed, newestSeen, platform, now }: UpdateStanding,
): ReleaseVerdict => {
  if (newestSeen && isOlder(manifest, newestSeen)) return { verdict: 'replayed' };
  if (Date.parse(manifest.expiresAt) <= now.getTime()) return { verdict: 'expired' };
  if (compareVersions(manifest.version, installed) <= 0) return { verdict: 'current' };
  if (compareVersions(manifest.follows, installed) > 0) return { verdict: 'too-far' };
  const file = manifest.files.find((candidate) => candidate.platform === platform);
  return file ? { verdict: 'offer', file } : { verdict: 'not-for-this-system' };
};

/** The same release may be signed again for a longer time, but neither version nor date may go back. */
const isOlder = (manifest: ReleaseManifest, seen: NewestSeen): boolean =>
  compareVersions(manifest.version, seen.version) < 0 ||
  Date.parse(manifest.releasedAt) < Date.parse(seen.releasedAt);
