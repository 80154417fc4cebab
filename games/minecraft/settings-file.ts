import { games } from '#contracts/servers/games.ts';
import { Secret } from '#runtime/secret.ts';
import {
  looksTrue,
  offNote,
  portNote,
  type SettingsFile,
  startOnce,
  UnreadableSettingsError,
} from '../settings-file.ts';
import { openSettingsText, type Place, replacePlaces, withoutMark } from '../settings-text.ts';

/**
 * server.properties, as java.util.Properties reads it (its documentation of `load`): `=`, `:` or blanks after the key, backslash
 * escapes, lines that continue after a backslash, `#` and `!` for comments; the last of two equal keys counts. Blanks behind a value
 * belong to it, and a byte order mark to the first key. The game's keys and defaults: https://minecraft.wiki/w/Server.properties
 */
interface Property extends Place {
  readonly key: string;
  readonly value: string;
  readonly hasSeparator: boolean;
}

const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' };

const withoutEscapes = (raw: string): string =>
  raw
    .replace(/\\(?:\r\n|\r|\n)[ \t\f]*/g, '')
    // The last one of a file continues nothing.
    .replace(/(?<!\\)((?:\\\\)*)\\$/, '$1')
    .replace(/\\u([0-9a-fA-F]{4})|\\([\s\S])/g, (_, code: string | undefined, letter: string) =>
      code === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
    );

const lineBreak = /\r\n|\r|\n/g;

/** The end of the line that begins here, including its continuation lines. */
const logicalEnd = (text: string, from: number): number => {
  lineBreak.lastIndex = from;
  for (;;) {
    const end = lineBreak.exec(text)?.index ?? text.length;
    let backslashes = 0;
    while (end - backslashes > from && text[end - backslashes - 1] === '\\') backslashes += 1;
    if (end === text.length || backslashes % 2 === 0) return end;
  }
};

const keyEnd = (text: string, from: number, end: number): number => {
  let at = from;
  while (at < end && !/[=: \t\f]/.test(text[at] ?? '')) at += text[at] === '\\' ? 2 : 1;
  return Math.min(at, end);
};

const blanks = /[ \t\f\r\n]*/y;
const separator = /[ \t\f]*(?:[=:][ \t\f]*)?/y;
const skip = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
};

const readProperties = (text: string): Property[] => {
  const properties: Property[] = [];
  let at = skip(blanks, text, 0);
  while (at < text.length) {
    if (text[at] === '#' || text[at] === '!') {
      lineBreak.lastIndex = at;
      at = lineBreak.exec(text)?.index ?? text.length;
    } else {
      const end = logicalEnd(text, at);
      const behindKey = keyEnd(text, at, end);
      const start = Math.min(skip(separator, text, behindKey), end);
      const key = withoutEscapes(text.slice(at, behindKey));
      properties.push({ key, value: text.slice(start, end), hasSeparator: start > behindKey, start, end });
      at = end;
    }
    at = skip(blanks, text, at);
  }
  return properties;
};

/** Writes all letters beyond ASCII as \uXXXX, which every version of the game reads the same way. */
const escapeValue = (value: string): string =>
  value
    .replace(/[\\=:#!]/g, '\\$&')
    .replace(/^ /, '\\ ')
    .replace(/[^\x20-\x7E]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Such as a Windows path: Java then reads nothing of the whole file. */
const brokenEscape = /(?<!\\)(?:\\\\)*\\u(?![0-9a-fA-F]{4})/;

/** Java reads the file as UTF-8 or ISO 8859-1: in UTF-16 it finds none of its settings. */
const open = (content: Buffer) => {
  const opened = openSettingsText(content);
  if (opened.isUtf16)
    throw new UnreadableSettingsError('it is in UTF-16, which the game cannot read; save it as UTF-8');
  const properties = readProperties(opened.text);
  const broken = properties.find(({ value }) => brokenEscape.test(value));
  if (broken)
    throw new UnreadableSettingsError(
      `its setting ${/^[\w.-]{1,60}$/.test(broken.key) ? broken.key : ''} has a backslash before the letter u, for which the game refuses the whole file; write two backslashes`,
    );
  return { ...opened, properties };
};

const keys = { isOn: 'enable-rcon', port: 'rcon.port', password: 'rcon.password' } as const;

/** As `Boolean.valueOf` and `Integer.parseInt` read it: a blank behind a value makes it another one. */
const isTrue = (text: string): boolean => text.toLowerCase() === 'true';
const javaInt = (text: string): number | null =>
  /^[+-]?\d+$/.test(text) && Math.abs(Number(text)) < 2 ** 31 ? Number(text) : null;
const isPort = (number: number): boolean => number >= 1 && number <= 65_535;

const plainKey = (key: string): string =>
  withoutMark(key)
    .toLowerCase()
    .replace(/[\s_.-]/g, '');

/** What people take for a setting of the console, and the game does not. */
const notesOn = (
  properties: readonly Property[],
  settingOf: (key: string) => string,
  port: number,
): string[] => {
  const notes: string[] = [];
  for (const key of Object.values(keys)) {
    const count = properties.filter((one) => one.key === key).length;
    if (count > 1) notes.push(`${key} is there ${count} times, of which the last one counts.`);
    if (count > 0) continue;
    const alike = properties.find((one) => plainKey(one.key) === plainKey(key));
    if (alike)
      notes.push(
        withoutMark(alike.key) === key
          ? `The file begins with a byte order mark, so the game does not find ${key} in its first line.`
          : `${key} is spelled differently there, so the game does not find it.`,
      );
  }
  const isOn = settingOf(keys.isOn);
  if (!isTrue(isOn) && looksTrue(isOn)) notes.push(offNote(keys.isOn));
  if (isTrue(isOn) && settingOf(keys.password) === '')
    notes.push(`${keys.password} is empty, so the game leaves its console off.`);
  const said = settingOf(keys.port);
  if (said !== '' && javaInt(said) === null) notes.push(portNote(keys.port, port));
  if (!isPort(port)) notes.push(`${keys.port} is ${port}, so the game leaves its console off.`);
  return notes;
};

export const minecraftSettings: SettingsFile = {
  read(content) {
    const { properties, decode } = open(content);
    const values = new Map(properties.map(({ key, value }) => [key, value]));
    const settingOf = (key: string) => withoutEscapes(decode(values.get(key) ?? ''));
    const password = settingOf(keys.password);
    const port = javaInt(settingOf(keys.port)) ?? games.minecraft.defaultPort;
    return {
      // Without a password the game logs "No rcon password set in server.properties, rcon disabled!", and so for a port that is none.
      isOn: isTrue(settingOf(keys.isOn)) && password !== '' && isPort(port),
      port: isPort(port) ? port : games.minecraft.defaultPort,
      password: new Secret(password),
      notes: notesOn(properties, settingOf, port),
    };
  },
  turnOn: (content, { port, password }) =>
    setMinecraftSettings(content, {
      [keys.isOn]: 'true',
      [keys.port]: String(port),
      [keys.password]: password.reveal(),
    }),
  overrides: () => ({}),
  isSafeWithoutPassword: false,
  howToFill: startOnce,
  isWrittenAtStop: false,
};

/** The file with these settings, by key. @throws {UnreadableSettingsError} */
export const setMinecraftSettings = (content: Buffer, wanted: Readonly<Record<string, string>>): Buffer => {
  const { text, newline, properties, decode, toBytes } = open(content);
  const changes = properties.flatMap(({ key, value, hasSeparator, start, end }) => {
    const put = wanted[key];
    if (put === undefined || withoutEscapes(decode(value)) === put) return [];
    return [{ start, end, text: `${hasSeparator ? '' : '='}${escapeValue(put)}` }];
  });
  const missing = Object.entries(wanted).filter(([key]) => !properties.some((found) => found.key === key));
  const changed = replacePlaces(text, changes);
  const gap = missing.length === 0 || /(?:^|[\r\n])$/.test(withoutMark(changed)) ? '' : newline;
  const added = missing.map(([key, value]) => `${key}=${escapeValue(value)}${newline}`).join('');
  return toBytes(changed + gap + added);
};

/** A setting by its key; null when the file does not contain it. */
export const minecraftSetting = (content: Buffer, key: string): string | null => {
  const { properties, decode } = open(content);
  const found = properties.findLast((property) => property.key === key);
  return found ? withoutEscapes(decode(found.value)) : null;
};
