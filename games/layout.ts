import type { SettingsFile } from './settings-file.ts';

/** A running program, as far as this account may see it. */
export interface SeenProgram {
  /** Of its executable; null where it is hidden. */
  readonly executable: string | null;
  /** Begins with how it was called. */
  readonly command: readonly string[];
  readonly workingFolder: string | null;
}

/** How a game's server lies in its folder. Paths are relative to it, with `/`. */
export interface GameLayout {
  /** A folder that holds all files of one of these groups is a server of the game. */
  readonly marks: readonly (readonly string[])[];
  /** A folder that holds one of these is another program's. */
  readonly foreignMarks: readonly string[];
  /** Names of its folder below `steamapps/common`. */
  readonly steamFolders: readonly string[];
  /** The folder of the server that this program runs; null for other programs. */
  folderOf(program: SeenProgram): string | null;
  /** Where its settings may lie, with `/` or absolute. The first that is there counts. */
  settingsFiles(args: readonly string[]): readonly string[];
  /** Its log; null where its name changes with each start, or where the console shows all. */
  logFile(args: readonly string[]): string | null;
  /** Scripts in the folder that start it, by the system's habit. */
  readonly startScripts: { readonly linux: readonly string[]; readonly windows: readonly string[] };
  readonly settings: SettingsFile;
}
