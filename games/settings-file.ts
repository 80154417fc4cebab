import { Secret } from '#runtime/secret.ts';

/** What a game's own settings say of its console. */
export interface ConsoleSettings {
  /** By the game's own default where the file is silent. */
  readonly isOn: boolean;
  readonly port: number;
  /** Empty where none is set. */
  readonly password: Secret;
}

/** The game's own settings file, as bytes: whatever is not asked for stays byte for byte. */
export interface SettingsFile {
  /** @throws {UnreadableSettingsError} */
  read(content: Buffer): ConsoleSettings;
  /**
   * The file with its console on.
   * @throws {UnreadableSettingsError}
   */
  turnOn(content: Buffer, console: Pick<ConsoleSettings, 'port' | 'password'>): Buffer;
  /** What the game's command line says instead of the file. */
  overrides(args: readonly string[]): Partial<ConsoleSettings>;
  /** The game accepts commands without a password, and then from its own machine alone. */
  readonly isSafeWithoutPassword: boolean;
  /** The game writes the file from its memory when it stops, so that a change made meanwhile is lost. */
  readonly isWrittenAtStop: boolean;
}

/** Says in words why the file cannot be understood; nothing of its content. */
export class UnreadableSettingsError extends Error {
  override readonly name = 'UnreadableSettingsError';
}

/** What the game calls them. */
export type ConsoleKeys = Readonly<Record<keyof ConsoleSettings, string>>;

/** For a game whose command line takes the settings of its file; what it does not name is absent. */
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

/** Null for what is no port. */
export const portOf = (text: string): number | null => {
  const port = /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
};
