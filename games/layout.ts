import type { SettingsFile } from './settings-file.ts';

/** A running program, as far as this account may see it. */
export interface SeenProgram {
  /** Path of its executable; null when it is hidden. */
  readonly executable: string | null;
  /** Begins with the name it was called by. */
  readonly command: readonly string[];
  readonly workingFolder: string | null;
}

/** The file layout of a game's server. Paths are relative to its folder, with `/`. */
export interface GameLayout {
  /** A folder that holds all files of one of these groups is a server of the game. */
  readonly marks: readonly (readonly string[])[];
  /** A folder that holds one of these belongs to another program. */
  readonly foreignMarks: readonly string[];
  /** Usual names of the server's folder, such as Steam's; case does not matter. */
  readonly folderNames: readonly string[];
  /** The folder of the server that this program runs; null for other programs. */
  folderOf(program: SeenProgram): string | null;
  /** Where its settings may be, with `/` or absolute. The first existing file counts. */
  settingsFiles(args: readonly string[]): readonly string[];
  /** Files that the game obeys before its settings file: a name in `folder`, or in a folder directly below it. */
  readonly rivals?: readonly { readonly folder: string; readonly name: string; readonly note: string }[];
  /** Its log; null if the name changes with each start, or the console shows everything. */
  logFile(args: readonly string[]): string | null;
  /** Names of scripts in the folder that usually start it, per system. */
  readonly startScripts: { readonly linux: readonly string[]; readonly windows: readonly string[] };
  readonly settings: SettingsFile;
}

/** Whether a command, or without one this machine, runs a game's Windows build: it reads another folder of settings. */
export const isWindowsBuild = (args: readonly string[]): boolean =>
  args.length === 0 ? process.platform === 'win32' : args.some((arg) => /\.exe$/i.test(arg));
