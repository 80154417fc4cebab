import type { KeyObject } from 'node:crypto';
import * as z from 'zod';
import { readJson } from '../read-json.ts';
import { releasePlatforms } from './release-manifest.ts';
import {
  type ManifestFormat,
  type ManifestReading,
  readSignedManifest,
  signManifest,
} from './signed-manifest.ts';
import { releaseVersionPattern } from './version-order.ts';

/** Four times the current size of the executables; a larger claim would only fill the disk. */
const maxExecutableBytes = 400 * 1024 * 1024;

const executable = z.strictObject({
  platform: z.enum(releasePlatforms),
  /** The name in the API's downloads. */
  name: z
    .string()
    .regex(/^castellan-agent-[a-z0-9-]+(?:\.exe)?$/)
    .max(80),
  size: z.int().positive().max(maxExecutableBytes),
  /** In hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type AgentExecutable = z.infer<typeof executable>;

const agentReleaseManifest = z.strictObject({
  product: z.literal('castellan-agent'),
  version: z.string().regex(releaseVersionPattern, 'must be a version such as 1.4.0'),
  releasedAt: z.iso.datetime(),
  files: z
    .array(executable)
    .min(1)
    .max(releasePlatforms.length)
    .refine(
      (files) => new Set(files.map(({ platform }) => platform)).size === files.length,
      'must name a platform once',
    ),
});
/** The executables of one version of the Game Agent. */
export type AgentRelease = z.infer<typeof agentReleaseManifest>;

const format: ManifestFormat<AgentRelease> = {
  domain: 'castellan-agent-update-1',
  schema: agentReleaseManifest,
};

/** Beside the executables. */
export const agentReleaseFileName = 'castellan-agent.release';

/** @throws saying what is not allowed in a release */
export const signAgentRelease = (manifest: AgentRelease, privateKeys: readonly KeyObject[]): Buffer =>
  signManifest(format, manifest, privateKeys);

/** The version of a release, read without checking its signature; null when the bytes are not a release. */
export const versionOfAgentRelease = (bytes: Buffer): string | null =>
  readJson(agentReleaseManifest, bytes.subarray(bytes.indexOf('\n') + 1).toString('utf8'))?.version ?? null;

export const readAgentRelease = (bytes: Buffer, keys: readonly KeyObject[]): ManifestReading<AgentRelease> =>
  readSignedManifest(format, bytes, keys);
