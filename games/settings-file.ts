import { Secret } from '#runtime/secret.ts';

/** The console's settings in a game's own configuration. */
export interface ConsoleSettings {
  /** The game's own default when the file does not say. */
  readonly isOn: boolean;
  readonly port: number;
  /** Empty when none is set. */
  readonly password: Secret;
  /** What looks right in the file and is not, as sentences without anything secret. */
  readonly notes?: readonly string[] | undefined;
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
type ConsoleKeys = Readonly<Record<Exclude<keyof ConsoleSettings, 'notes'>, string>>;

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

/** Whether people mean `true` by it, whatever the game reads. */
export const looksTrue = (text: string): boolean =>
  /^[^\p{L}\p{N}]*(?:true|yes|on|1|enabled?)(?!\p{L})/iu.test(text);

/** Why a console is off although its value looks as if it were on. */
export const offNote = (key: string): string =>
  `${key} has more than the word true as its value (a blank behind it, quotes, a comment), so the game reads it as off.`;

/** Null when the text is not a port. */
export const portOf = (text: string): number | null => {
  const port = /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
};

export const portNote = (key: string, used: number): string =>
  `${key} is not a port for the game (a blank behind it, quotes, other characters), so it uses ${used}.`;

/**
 * What to say of values that the game reads otherwise than people do.
 * @param read the values as the game reads them; `port` null: it is none, and the game uses its own
 */
export const valueNotes = (
  keys: ConsoleKeys,
  settingOf: (key: string) => string,
  read: { readonly isOn: boolean; readonly port: number | null; readonly ownPort: number },
): string[] => [
  ...(!read.isOn && looksTrue(settingOf(keys.isOn)) ? [offNote(keys.isOn)] : []),
  ...(settingOf(keys.port) !== '' && read.port === null ? [portNote(keys.port, read.ownPort)] : []),
];
