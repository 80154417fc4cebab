import type { Verdict } from './game.ts';

/** The part of a server's folder that a layout may read; paths are relative to it, or as given to the game. */
export interface ServerFolder {
  /** Null when there is no such file. */
  read(path: string): Promise<Buffer | null>;
  /** Names of the folders in a folder; empty when it does not exist. */
  folders(path: string): Promise<string[]>;
  files(path: string): Promise<string[]>;
  /** Which are not followed, since an account without rights may have set them. */
  links(path: string): Promise<string[]>;
}

export interface FoundWorlds {
  /** Folders relative to the server's folder, or absolute where the game's own settings say so; empty when nothing is saved yet. */
  readonly places: readonly string[];
  /** What looks like a world and is none of the game's, such as a copy among backups; for people. */
  readonly leftOut: readonly string[];
}

/** Where a game keeps its worlds, and how it stops writing them for a while. */
export interface GameSaves {
  /**
   * @param args the game's start arguments; empty when unknown
   * @throws {Error} with a message for people, when a settings file cannot be understood
   */
  find(server: ServerFolder, args: readonly string[]): Promise<FoundWorlds>;
  /** Names of files in these folders that belong to the running game, such as its locks. */
  readonly passing: readonly string[];
  /** Null: the game has only its save command. */
  readonly pause: SavingPause | null;
}

/** Stops the game's own saving, saves everything, and starts it again. */
interface SavingPause {
  readonly stop: string;
  readonly save: string;
  readonly resume: string;
  /** What a reply to `stop` proves; `already`: it was already stopped. */
  readStop(reply: string): {
    readonly state: 'paused' | 'already' | 'saving' | 'unproven';
    readonly reason: string;
  };
  /** What a reply to `save` proves. */
  readSave(reply: string): Verdict;
}
