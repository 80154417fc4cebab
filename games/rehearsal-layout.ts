import type { Secret } from '#runtime/secret.ts';
import type { ServerFolder } from './saves-layout.ts';

/** How a second server of a game runs beside the first one, from a copy of its folder. */
export interface GameRehearsal {
  /** Names at the top of the server's folder that are not copied: logs, backups, files for other readers. */
  readonly leftOut: RegExp;
  /** Consecutive ports that the copy needs, beside its console's. */
  readonly ports: number;
  /**
   * Why a server that is started like this would reach beyond its copy, as a sentence; null: it does not.
   * @param args without those that hold the path of the server's folder: they are rewritten to the copy's
   */
  whyNot(server: ServerFolder, args: readonly string[]): Promise<string | null>;
  /** The settings file in use, relative to the folder. */
  settingsFile(args: readonly string[]): string;
  /** The settings with other ports, invisible to players. @throws {UnreadableSettingsError} */
  change(
    content: Buffer,
    as: {
      /** The first of its ports. */
      readonly port: number;
      readonly consolePort: number;
      /** Empty where the game's console needs none on its own machine. */
      readonly password: Secret;
      /** Replaces the path of the server's folder in a value with the copy's. */
      inCopy(path: string): string;
    },
  ): Buffer;
}
