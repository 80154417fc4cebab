import type { InspectedMod, ModFile } from '#contracts/agent-mods.ts';

/** An entry of the archive, and where it goes beneath the server's folder. */
export interface Placement {
  readonly entry: string;
  readonly path: string;
}

/** What an archive is to a game, and what its installation puts where; all paths are checked, and no two of them collide. */
export interface InspectedArchive {
  readonly content: InspectedMod['content'];
  /** None for a jar, which is put in place as it is. */
  readonly placements: readonly Placement[];
  /** Of a pack: files to download, and where they go. */
  readonly downloads: readonly { readonly path: string; readonly file: ModFile }[];
  /** What it has that is not placed: the server's own files, and what lies beside the mods. */
  readonly leftOut: readonly string[];
}

export const withoutPlan = (content: InspectedMod['content']): InspectedArchive => ({
  content,
  placements: [],
  downloads: [],
  leftOut: [],
});

/** @param why in words for people */
export const unknownArchive = (why: string): InspectedArchive => withoutPlan({ is: 'unknown', why });
