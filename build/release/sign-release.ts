import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Command, InvalidArgumentError } from 'commander';
import { product } from '#contracts/kernel/product.ts';
import {
  type InstallerFile,
  type ReleaseManifest,
  type ReleasePlatform,
  releaseFileName,
} from '#runtime/release/release-manifest.ts';
import { signRelease } from '#runtime/release/signed-release.ts';
import { hasSignature } from '../package/remove-signature.ts';
import { openCodeSigner, unsignedWarning } from './sign-code.ts';

const platformOf: Readonly<Record<string, ReleasePlatform>> = {
  '.exe': 'win32-x64',
  '.AppImage': 'linux-x64',
};

/**
 * Makes and signs a release. Its installers and its own copy of the release go into a folder named after the version, which
 * stays: an installation that updates from this version fetches its way back from there. The newest release is written last,
 * so that a copy that is cut short names nothing that is missing.
 */
export const signReleaseOf = async (options: {
  /** Holds the installers, one for each system, and may hold other things. */
  readonly folder: string;
  readonly version: string;
  readonly follows: string;
  readonly notes: string;
  readonly releasedAt: Date;
  readonly expiresAt: Date;
  readonly keys: readonly KeyObject[];
  /** What the update server serves; the new release is added to it. */
  readonly out: string;
}): Promise<ReleaseManifest> => {
  const { folder, version, follows, notes, releasedAt, expiresAt, keys, out } = options;
  const files = await installersIn(folder);
  if (files.length === 0) throw new Error(`${folder} holds no installer (.exe or .AppImage).`);
  const manifest: ReleaseManifest = {
    product: product.name,
    version,
    releasedAt: releasedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    follows,
    notes,
    files,
  };
  const signed = signRelease(manifest, keys);
  const target = join(out, version);
  await mkdir(target, { recursive: true });
  for (const { name } of files) await cp(join(folder, name), join(target, name));
  await writeFile(join(target, releaseFileName), signed);
  await writeFile(join(out, releaseFileName), signed);
  return manifest;
};

const installersIn = async (folder: string): Promise<InstallerFile[]> => {
  const files: InstallerFile[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const platform = platformOf[/\.\w+$/.exec(name)?.[0] ?? ''];
    if (!platform) continue;
    const { size } = await stat(join(folder, name));
    const hash = createHash('sha512');
    await pipeline(createReadStream(join(folder, name)), hash);
    files.push({ platform, name, size, sha512: hash.digest('base64') });
  }
  return files;
};

/**
 * The release holds the hashes of these files: every installation would refuse a file that is signed later.
 * @throws when a key is there but an installer was packaged without it
 */
const demandSignedPrograms = async (folder: string): Promise<void> => {
  const isSigning = (await openCodeSigner()) !== null;
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.exe') || hasSignature(await readFile(join(folder, name)))) continue;
    if (isSigning)
      throw new Error(
        `${name} is not signed, and neither is what it installs. Package it again with the CASTELLAN_SIGN variables set.`,
      );
    process.stdout.write(`${name} is not signed. ${unsignedWarning}\n`);
  }
};

const dayMs = 86_400_000;

const readDays = (text: string): number => {
  const days = Number(text);
  if (!(days >= 1 && days <= 730)) throw new InvalidArgumentError('It is a number of days from 1 to 730.');
  return days;
};

export const releaseCommand = new Command('release')
  .description(
    'sign a release: what the update server serves. To keep a release current beyond its days, sign it again with ' +
      'the same installers. A bad release is not taken back: a later one replaces it.',
  )
  .argument('<folder>', 'holds the installers: one .exe, one .AppImage, or one of them')
  .requiredOption('--release <version>', 'such as 1.4.0')
  .requiredOption('--follows <version>', 'the oldest version that may be updated to it in one step')
  .requiredOption('--notes <file>', 'what is new, as text')
  .requiredOption('--key <file...>', 'the private keys that sign; several while one follows another')
  .option('--days <number>', 'how long it counts as current', readDays, 90)
  .option('--out <folder>', 'the folder that the update server serves', 'dist-release')
  .action(
    async (
      folder: string,
      {
        release,
        follows,
        notes,
        days,
        key,
        out,
      }: {
        readonly release: string;
        readonly follows: string;
        readonly notes: string;
        readonly days: number;
        readonly key: string[];
        readonly out: string;
      },
    ) => {
      const releasedAt = new Date();
      const expiresAt = new Date(releasedAt.getTime() + days * dayMs);
      await demandSignedPrograms(resolve(folder));
      const keys = await Promise.all(key.map(async (path) => createPrivateKey(await readFile(path))));
      const text = (await readFile(notes, 'utf8')).replaceAll('\r\n', '\n').trim();
      const { files } = await signReleaseOf({
        folder: resolve(folder),
        version: release,
        follows,
        notes: text,
        releasedAt,
        expiresAt,
        keys,
        out: resolve(out),
      });
      process.stdout.write(`${resolve(out)}: ${release}, ${files.map(({ name }) => name).join(', ')}\n`);
    },
  );
