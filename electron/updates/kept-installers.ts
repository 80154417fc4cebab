import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ifAbsent } from '#runtime/absent-file.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { patientRemoval, whenNotBusy } from '#runtime/busy-file.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import {
  type InstallerFile,
  type ReleasePlatform,
  releaseFileName,
} from '#runtime/release/release-manifest.ts';
import { readSignedRelease, type SignedRelease } from '#runtime/release/signed-release.ts';
import { compareVersions, releaseVersionPattern } from '#runtime/release/version-order.ts';
import type { UpdateSource } from './update-source.ts';
import { asDiskTrouble, UpdateTroubleError } from './update-trouble.ts';

/** An installer that was just verified against the signature beside it. */
export interface KeptInstaller {
  readonly version: string;
  /** Holds the installer and its signed release, and nothing else. */
  readonly folder: string;
  readonly path: string;
  readonly file: InstallerFile;
}

export interface KeptInstallers {
  /** Null when there is none, or it is no longer what was signed. */
  find(version: string): Promise<KeptInstaller | null>;
  /** The newest one before a version; null when none of them can be verified. */
  newestBefore(version: string): Promise<string | null>;
  /** Takes over a downloaded file. @throws {UpdateTroubleError} when it is not what was signed */
  keep(release: SignedRelease, file: InstallerFile, downloaded: string): Promise<KeptInstaller>;
  /** Deletes all others. */
  keepOnly(versions: readonly string[]): Promise<void>;
}

/** Keeps installers, one folder per version; one that its own signed release does not verify does not count. */
export const openKeptInstallers = (
  folder: string,
  keys: UpdateSource['keys'],
  platform: ReleasePlatform,
): KeptInstallers => {
  const find = (version: string) => readKeptInstaller(join(folder, version), keys, platform);
  return {
    find: async (version) => {
      const kept = await find(version).catch(() => null);
      return kept?.version === version ? kept : null;
    },
    async newestBefore(version) {
      const names = await readdir(folder).catch(() => []);
      const earlier = names
        .filter((name) => releaseVersionPattern.test(name) && compareVersions(name, version) < 0)
        .sort(compareVersions);
      for (const name of earlier.reverse())
        if (
          await find(name).then(
            ({ version }) => version === name,
            () => false,
          )
        )
          return name;
      return null;
    },
    async keep({ manifest, bytes }, file, downloaded) {
      const target = join(folder, manifest.version);
      try {
        await rm(target, patientRemoval);
        await mkdir(target, { recursive: true, mode: 0o700 });
        await whenNotBusy(() => rename(downloaded, join(target, file.name)));
        // Last: without it the folder does not count.
        await writeFileAtomically(join(target, releaseFileName), bytes.toString('utf8'), 0o600);
        await syncFolder(target);
      } catch (error) {
        throw asDiskTrouble(error);
      }
      return find(manifest.version);
    },
    async keepOnly(versions) {
      for (const name of await readdir(folder).catch(() => []))
        if (!versions.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
    },
  };
};

/** @throws {UpdateTroubleError} unless it is exactly what was signed */
export const readKeptInstaller = async (
  folder: string,
  keys: UpdateSource['keys'],
  platform: ReleasePlatform,
): Promise<KeptInstaller> => {
  const { version, file } = await readKeptRelease(folder, keys, platform);
  const path = join(folder, file.name);
  if (!(await isAsSigned(path, file)))
    throw new UpdateTroubleError('damaged', `${file.name} is not the file that was signed.`);
  return { version, folder, path, file };
};

/** What the signed release in a folder says about its installer. @throws {UpdateTroubleError} */
export const readKeptRelease = async (
  folder: string,
  keys: UpdateSource['keys'],
  platform: ReleasePlatform,
): Promise<{ readonly version: string; readonly file: InstallerFile }> => {
  const bytes = await readFile(join(folder, releaseFileName)).catch((error: Error) => {
    throw new UpdateTroubleError('disk', `The signed release cannot be read: ${error.message}`, error);
  });
  const reading = readSignedRelease(bytes, keys);
  if (reading.kind !== 'verified')
    throw new UpdateTroubleError(reading.kind, `The release was refused: ${reading.detail}.`);
  const { version, files } = reading.manifest;
  const file = files.find((candidate) => candidate.platform === platform);
  if (!file) throw new UpdateTroubleError('not-for-this-system', `${version} is not for this system.`);
  return { version, file };
};

const isAsSigned = async (path: string, { size, sha512 }: InstallerFile): Promise<boolean> => {
  // A virus scanner holds files that were just written.
  return whenNotBusy(async () => {
    const found = await stat(path).catch(ifAbsent(null));
    if (found?.size !== size) return false;
    const hash = createHash('sha512');
    await pipeline(createReadStream(path), hash);
    return hash.digest('base64') === sha512;
  });
};
