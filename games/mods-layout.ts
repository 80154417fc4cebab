import type { ModForm, ModLoader } from '#contracts/agent-mods.ts';
import type { ServerFolder } from './saves-layout.ts';

/** What loads mods on a server, as its own files tell. */
export interface LoaderFacts {
  /** Null: none, or the game has no loaders. */
  readonly loader: ModLoader | null;
  readonly loaderVersion: string | null;
  /** Null: it cannot be told. */
  readonly gameVersion: string | null;
}

/** A folder that holds mods, relative to the server's folder. */
export interface ModFolder {
  readonly path: string;
  /** Which of its entries are mods: files by this ending, or folders with a file of this name in them. */
  readonly holds: { readonly files: '.jar' } | { readonly foldersWith: 'ModInfo.xml' };
}

/** What a line of the game's log says of a mod that the game downloads or loads by itself. */
export type ModLine =
  | { readonly is: 'downloading' | 'ready'; readonly id: string | null }
  | { readonly is: 'failed'; readonly id: string | null; readonly why: string };

/** Where a game reads ids of mods that it downloads by itself. */
export type ModIds =
  | {
      readonly at: 'settings';
      /** Where the settings file may be, relative to the server's folder; the first that exists counts. */
      readonly files: readonly string[];
      /** In the order in which they load. @throws {Error} in words */
      read(content: Buffer): readonly string[];
      /** The file with these ids, everything else byte for byte unchanged. @throws {Error} in words */
      write(content: Buffer, ids: readonly string[]): Buffer;
      /** Why the game ignores this list when it is started so, as a sentence; null: it reads it. */
      ignoredBecause(args: readonly string[]): string | null;
    }
  /** At the mark `{mods}` that the machine's owner has put into the start command. */
  | { readonly at: 'command' };

/** How a game takes mods, and what its files and its log tell of them. */
export interface GameMods {
  /** What this server takes; empty: no mods at all, `whyNot` says why. */
  forms(facts: LoaderFacts): readonly ModForm[];
  facts(server: ServerFolder, args: readonly string[]): Promise<LoaderFacts>;
  /** Folders of a server with this loader. */
  folders(facts: LoaderFacts): readonly ModFolder[];
  /** Null where mods are files. */
  readonly ids: ModIds | null;
  /** Null for all other lines. */
  readModLine(line: string): ModLine | null;
  /** A line after which the game will not come up, such as Fabric's list of incompatible mods. */
  isFatal(line: string): boolean;
}
