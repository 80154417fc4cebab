import type { Generated } from 'kysely';
import type { PictureMediaType } from '#runtime/pictures/without-metadata.ts';

/** At most one row. */
export interface CommunityLogoTable {
  one: Generated<boolean>;
  media_type: PictureMediaType;
  width: number;
  height: number;
  bytes: Buffer;
  sha256: string;
}
