import { Secret } from '#runtime/secret.ts';

/** The console's settings in a game's own configuration. */
export interface ConsoleSettings {
  /** The game's own default when the file does not say. */
  readonly isOn: boolean;
  readonly port: number;
  /** Empty when none is set. */
  readonly password: Secret;
}

/** The game's own settings file, as bytes: everything that is not changed on purpose stays byte for byte. */
export interface SettingsFile {
  /** @throws {UnreadableSettingsError} */
  read(content: Buffer): ConsoleSettings;
  /**
   * Returns the file with its console on.
   * @throws {UnreadableSettingsError}
   */
  turnOn(content: Buffer, console: Pick<ConsoleSettings, 'port' | 'password'>): Buffer;
  /** Settings on the game's command line that override the file. */
  overrides(args: readonly string[]): Partial<ConsoleSettings>;
  /** The game accepts commands without a password, and then only from its own machine. */
  readonly isSafeWithoutPassword: boolean;
  /** What the owner does while the file is missing or empty, as a sentence. */
  readonly howToFill: string;
  /** The game writes the file from memory when it stops, so that an earlier change would be lost. */
  readonly isWrittenAtStop: boolean;
}

/** For a game that fills its settings file at its first start. */
export const startOnce = 'Start the game once so that it writes its settings.';

/** Its message says why the file cannot be understood, and contains nothing of the file. */
export class UnreadableSettingsError extends Error {
  override readonly name = 'UnreadableSettingsError';
}

/** The game's own names for the settings. */
export type ConsoleKeys = Readonly<Record<keyof ConsoleSettings, string>>;

/** For a game whose command line accepts the settings of its file; settings that it does not name are absent. */
export const readOverrides = (
  keys: ConsoleKeys,
  isTrue: (text: string) => boolean,
  settingOf: (key: string) => string | undefined,
): Partial<ConsoleSettings> => {
  const isOn = settingOf(keys.isOn);
  const port = portOf(settingOf(keys.port) ?? '');
  const password = settingOf(keys.password);
  return {
    ...(isOn !== undefined && { isOn: isTrue(isOn) }),
    ...(port !== null && { port }),
    ...(password !== undefined && { password: new Secret(password) }),
  };
};

/** Null when the text is not a port. */
export const portOf = (text: string): number | null => {
  const port = /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
};
