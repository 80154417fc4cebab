import type { Secret } from '#runtime/secret.ts';
import type { ServerFolder } from './saves-layout.ts';

/** How a second server of a game runs beside the first one, out of a copy of its folder. */
export interface GameRehearsal {
  /** Names at the top of the server's folder that its copy does without: logs, backups, what others look at. */
  readonly leftOut: RegExp;
  /** Ports in a row that the copy needs, beside its console's. */
  readonly ports: number;
  /**
   * Why a server that is started so would not keep to its copy, as a sentence; null: it does.
   * @param args without those that hold the path of the server's folder: they are turned to the copy's
   */
  whyNot(server: ServerFolder, args: readonly string[]): Promise<string | null>;
  /** Settings files that are there, relative to the folder. */
  settingsFile(args: readonly string[]): string;
  /** The settings with other ports, unseen by players. @throws {UnreadableSettingsError} */
  change(content: Buffer, as: RehearsalSettings): Buffer;
}

export interface RehearsalSettings {
  /** The first of its ports. */
  readonly port: number;
  readonly consolePort: number;
  /** Empty where the game's console needs none on its own machine. */
  readonly password: Secret;
  /** Paths of the server's folder in values become the copy's. */
  inCopy(path: string): string;
}
