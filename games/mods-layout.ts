import type { ModForm, ModLoader, ModMetadata } from '#contracts/servers/agent-mods.ts';
import type { Archive } from '#runtime/archives/archive.ts';
import { type InspectedArchive, unknownArchive } from './inspected-archive.ts';
import type { ServerFolder } from './saves-layout.ts';

/** The mod loader of a server, according to its own files. */
export interface LoaderFacts {
  /** Null: none, or the game has no loaders. */
  readonly loader: ModLoader | null;
  readonly loaderVersion: string | null;
  /** Null: unknown. */
  readonly gameVersion: string | null;
}

/** A folder that holds mods, relative to the server's folder. */
export interface ModFolder {
  readonly path: string;
  /** Which of its entries are mods: files with this extension, or folders that contain a file with this name. */
  readonly holds: { readonly files: '.jar' } | { readonly foldersWith: 'ModInfo.xml' };
}

/** What a line of the game's log says about a mod that the game itself downloads or loads. */
export type ModLine =
  | { readonly is: 'downloading' | 'ready'; readonly id: string | null }
  | { readonly is: 'failed'; readonly id: string | null; readonly why: string };

/** Where a game reads the ids of mods that it downloads itself. */
export type ModIds =
  | {
      readonly at: 'settings';
      /** Where the settings file may be, relative to the server's folder; the first that exists counts. */
      readonly files: readonly string[];
      /** In load order. @throws {Error} with a message for people */
      read(content: Buffer): readonly string[];
      /** The file with these ids, everything else byte for byte unchanged. @throws {Error} with a message for people */
      write(content: Buffer, ids: readonly string[]): Buffer;
      /** Why the game ignores this list with these arguments, as a sentence; null: it reads it. */
      ignoredBecause(args: readonly string[]): string | null;
    }
  /** In place of the mark `{mods}` that the machine's owner has put into the start command. */
  | { readonly at: 'command' };

/** A game's own number where mods are searched; null: mods for it are not taken from there. */
export interface SourceNumbers {
  /** https://docs.curseforge.com/rest-api/#get-games */
  readonly curseforge: number | null;
  /** The app whose Workshop it is: the game, and not its dedicated server. */
  readonly steam: number | null;
}

/** How a game loads mods, and what its files and its log say about them. */
export interface GameMods {
  /** The forms that this server accepts; empty: no mods at all. */
  forms(facts: LoaderFacts): readonly ModForm[];
  facts(server: ServerFolder, args: readonly string[]): Promise<LoaderFacts>;
  /** Folders of a server with this loader. */
  folders(facts: LoaderFacts): readonly ModFolder[];
  /** Null where mods are files. */
  readonly ids: ModIds | null;
  readonly sourceNumbers: SourceNumbers;
  /** The file that marks the folder of a mod. Null: the game would not recognize it, or its mods are not folders. */
  readFolderMark(content: Buffer): ModMetadata | null;
  /** Null for all other lines. */
  readModLine(line: string): ModLine | null;
  /**
   * Inspects the file of a mod or of a pack.
   * @param parts the paths of its optional parts that are to be installed
   * @throws {ArchiveError} when nothing of it may be used
   */
  inspect(archive: Archive, parts?: readonly string[]): Promise<InspectedArchive>;
  /** A line after which the game will not come up, such as Fabric's list of incompatible mods. */
  isFatal(line: string): boolean;
}

/** For a game whose mods are not managed. */
export const noMods: GameMods = {
  forms: () => [],
  facts: async () => ({ loader: null, loaderVersion: null, gameVersion: null }),
  folders: () => [],
  ids: null,
  sourceNumbers: { curseforge: null, steam: null },
  readFolderMark: () => null,
  readModLine: () => null,
  inspect: async () => unknownArchive('Castellan does not manage the mods of this game.'),
  isFatal: () => false,
};
