import { games } from '#contracts/games.ts';
import { Secret } from '#runtime/secret.ts';
import { portOf, type SettingsFile, UnreadableSettingsError } from '../settings-file.ts';
import { openSettingsText, type Place, replacePlaces } from '../settings-text.ts';

/**
 * PalWorldSettings.ini has all its settings in the parentheses of one line: `OptionSettings=(Difficulty=None,AdminPassword="x")`.
 * https://docs.palworldgame.com/settings-and-operation/configuration
 */
interface Entry extends Place {
  readonly key: string;
  readonly value: string;
}

/** A value is quoted, a list in parentheses, or a word. */
const entry = /(?<key>\w{1,100})=(?<value>"(?:[^"\\\n]|\\[^\n])*"|\([^()\n]*\)|[^,()"\n]*)(?<next>[,)])/y;

const readOptions = (text: string): { readonly entries: readonly Entry[]; readonly end: number } => {
  const start = /^[ \t]*OptionSettings=\(/m.exec(text);
  if (!start)
    throw new UnreadableSettingsError(
      'it has no OptionSettings; copy the contents of DefaultPalWorldSettings.ini into it',
    );
  const entries: Entry[] = [];
  entry.lastIndex = start.index + start[0].length;
  for (;;) {
    const from = entry.lastIndex;
    const { key = '', value = '', next } = entry.exec(text)?.groups ?? {};
    if (next === undefined) {
      if (entries.length === 0 && text[from] === ')') return { entries, end: from };
      throw new UnreadableSettingsError('its OptionSettings do not end in a parenthesis on the same line');
    }
    const at = from + key.length + 1;
    entries.push({ key: key.toLowerCase(), value, start: at, end: at + value.length });
    if (next === ')') return { entries, end: at + value.length };
  }
};

const keys = { isOn: 'RESTAPIEnabled', port: 'RESTAPIPort', password: 'AdminPassword' } as const;

const unquote = (value: string): string => value.replace(/^"(.*)"$/s, '$1').replace(/\\(["\\])/g, '$1');

export const palworldSettings: SettingsFile = {
  read(content) {
    const { text, decode } = openSettingsText(content);
    const { entries } = readOptions(text);
    const settingOf = (key: string) => entries.findLast((one) => one.key === key.toLowerCase())?.value ?? '';
    return {
      isOn: /^true$/i.test(settingOf(keys.isOn)),
      port: portOf(settingOf(keys.port)) ?? games.palworld.defaultPort,
      password: new Secret(decode(unquote(settingOf(keys.password)))),
    };
  },
  turnOn(content, { port, password }) {
    const { text, encode, toBytes } = openSettingsText(content);
    const { entries, end } = readOptions(text);
    const wanted = {
      [keys.isOn]: 'True',
      [keys.port]: String(port),
      [keys.password]: `"${encode(password.reveal()).replace(/["\\]/g, '\\$&')}"`,
    };
    const changes = Object.entries(wanted).flatMap(([key, value]) =>
      entries.filter((one) => one.key === key.toLowerCase()).map((place) => ({ ...place, text: value })),
    );
    const missing = Object.entries(wanted).filter(
      ([key]) => !entries.some((one) => one.key === key.toLowerCase()),
    );
    const added = missing.map(([key, value]) => `${key}=${value}`).join(',');
    const comma = entries.length > 0 && added !== '' ? ',' : '';
    return toBytes(replacePlaces(text, [...changes, { start: end, end, text: comma + added }]));
  },
  overrides: () => ({}),
  isSafeWithoutPassword: false,
  // The game leaves the file that it creates empty.
  howToFill:
    'Start the game once, then copy the contents of DefaultPalWorldSettings.ini into PalWorldSettings.ini.',
  isWrittenAtStop: false,
};
