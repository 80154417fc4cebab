import type { InspectedMod, LeftOutFile, ModFile } from '#contracts/servers/agent-mods.ts';

/** An entry of the archive, and where it goes below the server's folder. */
export interface Placement {
  readonly entry: string;
  readonly path: string;
}

/**
 * What kind of archive it is for a game, and where its installation puts which files; all paths are checked, and no two of them
 * collide.
 */
export interface InspectedArchive {
  readonly content: InspectedMod['content'];
  /** Empty for a jar, which is installed unchanged. */
  readonly placements: readonly Placement[];
  /** Files that a pack downloads, and where they go. */
  readonly downloads: readonly { readonly path: string; readonly file: ModFile }[];
  /** Entries that are not installed: the server's own files, and files beside the mods. */
  readonly leftOut: readonly string[];
}

const mostLeftOut = 50;

/** In the form of the contract; nothing when there are none. */
export const leftOutFiles = (
  files: readonly LeftOutFile[],
): { readonly leftOut?: LeftOutFile[] | undefined } =>
  files.length === 0
    ? {}
    : {
        leftOut: files
          .slice(0, mostLeftOut)
          .map(({ path, why }) => ({ path: path.slice(0, 500).toWellFormed(), why })),
      };

export const withoutPlan = (content: InspectedMod['content']): InspectedArchive => ({
  content,
  placements: [],
  downloads: [],
  leftOut: [],
});

/** @param why in words for people */
export const unknownArchive = (why: string): InspectedArchive => withoutPlan({ is: 'unknown', why });
