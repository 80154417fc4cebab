import type { KeyObject } from 'node:crypto';
import { getAsset, getAssetKeys, isSea } from 'node:sea';
import * as z from 'zod';
import { readPublicKey } from '#runtime/release/signed-manifest.ts';

/** Asset of the single executable: the public keys of releases, in base64url. */
const assetName = 'release-keys.json';

/** The keys that this build trusts; none in a checkout, which does not update itself. */
export const releaseKeys = (): readonly KeyObject[] => {
  if (!isSea() || !getAssetKeys().includes(assetName)) return [];
  return z
    .array(z.string())
    .parse(JSON.parse(getAsset(assetName, 'utf8')))
    .map(readPublicKey);
};
