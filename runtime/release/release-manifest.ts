import * as z from 'zod';
import { product } from '#contracts/kernel/product.ts';
import { releaseVersionPattern } from './version-order.ts';

export const releasePlatforms = ['win32-x64', 'linux-x64'] as const;
export type ReleasePlatform = (typeof releasePlatforms)[number];

const versionNumber = z.string().regex(releaseVersionPattern, 'must be a version such as 1.4.0');
/** The text is shown to people unchanged: nothing in it may reverse the text around it. */
const unfit = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const maxNotesLength = 20_000;
/** Above any of our installers; a larger claim would only fill the disk. */
const maxInstallerBytes = 2 ** 30;

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

/** The description of one release, signed by its maker. */
export const releaseManifest = z.strictObject({
  product: z.literal(product.name),
  version: versionNumber,
  releasedAt: z.iso.datetime(),
  /** Keeps a server from hiding a newer release by showing this one as the newest after that time. */
  expiresAt: z.iso.datetime(),
  /** The oldest version that it may follow: its database cannot be downgraded to older ones. */
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

/** Its name on the server: the newest release at the top, and each release in its own folder. */
export const releaseFileName = 'castellan.release';
