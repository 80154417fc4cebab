import type { Verdict } from './game.ts';

/** What a layout may see of a server's folder; paths are relative to it, or as the game is told them. */
export interface ServerFolder {
  /** Null: there is no such file. */
  read(path: string): Promise<Buffer | null>;
  /** Names of the folders in a folder; none where there is no such folder. */
  folders(path: string): Promise<string[]>;
  files(path: string): Promise<string[]>;
}

/** Where a game keeps its worlds, and how it stops writing them for a while. */
export interface GameSaves {
  /**
   * Folders relative to the server's folder, or absolute where the game's own settings say so; none: nothing is saved yet.
   * @param args with which the game is started; none where that is not known
   * @throws {Error} in words, where a settings file cannot be understood
   */
  find(server: ServerFolder, args: readonly string[]): Promise<string[]>;
  /** Names of files in there that belong to the running game, such as its locks. */
  readonly passing: readonly string[];
  /** Null: the game has only its save command. */
  readonly pause: SavingPause | null;
}

/** Stops the game's own saving, saves all, and starts it again. */
export interface SavingPause {
  readonly stop: string;
  readonly save: string;
  readonly resume: string;
  /** What a reply to `stop` proves; `already`: it was stopped before. */
  readStop(reply: string): {
    readonly state: 'paused' | 'already' | 'saving' | 'unproven';
    readonly reason: string;
  };
  /** What a reply to `save` proves. */
  readSave(reply: string): Verdict;
}
