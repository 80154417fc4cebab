import type { KeyObject } from 'node:crypto';
import { getAsset, getAssetKeys, isSea } from 'node:sea';
import * as z from 'zod';
import { readPublicKey } from '#runtime/release/signed-manifest.ts';

/** In the single executable: the public keys of releases, in base64url. */
const assetName = 'release-keys.json';

/** The keys that this build believes; none in a checkout, which does not renew itself. */
export const releaseKeys = (): readonly KeyObject[] => {
  if (!isSea() || !getAssetKeys().includes(assetName)) return [];
  return z
    .array(z.string())
    .parse(JSON.parse(getAsset(assetName, 'utf8')))
    .map(readPublicKey);
};
