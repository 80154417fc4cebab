import * as z from 'zod';
import { product } from '#contracts/product.ts';
import { releaseVersionPattern } from './version-order.ts';

export const releasePlatforms = ['win32-x64', 'linux-x64'] as const;
export type ReleasePlatform = (typeof releasePlatforms)[number];

const versionNumber = z.string().regex(releaseVersionPattern, 'must be a version such as 1.4.0');
/** Shown to people as it is: nothing in it may turn what stands around it. */
const unfit = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export const maxNotesLength = 20_000;
/** Above any installer of ours; what claims to be larger would only fill the disk. */
export const maxInstallerBytes = 2 ** 30;

const installerFile = z.strictObject({
  platform: z.enum(releasePlatforms),
  /** Beside the manifest on the server, in a folder named after the version. */
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*\.(?:exe|AppImage)$/)
    .max(120),
  size: z.int().positive().max(maxInstallerBytes),
  /** In base64. */
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
});
export type InstallerFile = z.infer<typeof installerFile>;

/** What one release is, as its maker signs it. */
export const releaseManifest = z.strictObject({
  product: z.literal(product.name),
  version: versionNumber,
  releasedAt: z.iso.datetime(),
  /** A server that still shows it as the newest after that is kept from telling of a newer one. */
  expiresAt: z.iso.datetime(),
  /** The oldest version that it may follow: older ones cannot be gone back to from its database. */
  follows: versionNumber,
  /** Text, never markup. */
  notes: z
    .string()
    .max(maxNotesLength)
    .refine((text) => !unfit.test(text.replaceAll(/[\n\t]/g, '')), 'must be text without control characters'),
  files: z
    .array(installerFile)
    .min(1)
    .max(releasePlatforms.length)
    .refine(
      (files) => new Set(files.map(({ platform }) => platform)).size === files.length,
      'must name a platform once',
    ),
});
export type ReleaseManifest = z.infer<typeof releaseManifest>;

/** Its name on the server: at the top the newest release's, and each release's own in its folder. */
export const releaseFileName = 'castellan.release';
