import type { KeyObject } from 'node:crypto';
import { type ReleaseManifest, releaseManifest } from './release-manifest.ts';
import {
  type ManifestFormat,
  type ManifestReading,
  readSignedManifest,
  type SignedManifest,
  signManifest,
} from './signed-manifest.ts';

const format: ManifestFormat<ReleaseManifest> = { domain: 'castellan-update-1', schema: releaseManifest };

/** A release of the desktop with a valid signature. */
export type SignedRelease = SignedManifest<ReleaseManifest>;
type ReleaseReading = ManifestReading<ReleaseManifest>;

/** @throws saying what is not allowed in a release */
export const signRelease = (manifest: ReleaseManifest, privateKeys: readonly KeyObject[]): Buffer =>
  signManifest(format, manifest, privateKeys);

export const readSignedRelease = (bytes: Buffer, keys: readonly KeyObject[]): ReleaseReading =>
  readSignedManifest(format, bytes, keys);
