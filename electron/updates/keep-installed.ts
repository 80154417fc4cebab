import { join } from 'node:path';
import type { ReleasePlatform } from '#runtime/release/release-manifest.ts';
import { type Fetch, fetchInstaller } from './fetch-file.ts';
import type { KeptInstallers } from './kept-installers.ts';
import { fetchRelease } from './newest-release.ts';
import type { UpdateSource } from './update-source.ts';

export interface KeepInstalledOptions {
  readonly installed: string;
  readonly source: UpdateSource;
  readonly platform: ReleasePlatform;
  readonly kept: KeptInstallers;
  /** Holds the download. */
  readonly folder: string;
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
}

/**
 * Ensures that the installer of the running version is kept, since without it there would be no way back; the first one was
 * brought by hand.
 * @throws {UpdateTroubleError} when the server no longer has it
 */
export const keepInstalled = async (options: KeepInstalledOptions): Promise<void> => {
  const { installed, source, platform, kept, fetch, signal } = options;
  if (await kept.find(installed)) return;
  const release = await fetchRelease(source, installed, { fetch, signal });
  const file = release.manifest.files.find((candidate) => candidate.platform === platform);
  if (!file) return;
  const path = join(options.folder, `installed-${file.name}`);
  const url = `${source.url}${installed}/${file.name}`;
  await fetchInstaller({ fetch, signal, url, path, expected: file, onProgress: () => undefined });
  await kept.keep(release, file, path);
};
