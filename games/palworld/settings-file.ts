import { games } from '#contracts/servers/games.ts';
import { Secret } from '#runtime/secret.ts';
import { portOf, type SettingsFile, UnreadableSettingsError, valueNotes } from '../settings-file.ts';
import { openSettingsText, type Place, replacePlaces } from '../settings-text.ts';

/**
 * PalWorldSettings.ini has all its settings in the parentheses of one line: `OptionSettings=(Difficulty=None,AdminPassword="x")`.
 * https://docs.palworldgame.com/settings-and-operation/configuration
 */
interface Entry extends Place {
  readonly key: string;
  readonly value: string;
}

const blank = (text: string, at: number): number => {
  let next = at;
  while (text[next] === ' ' || text[next] === '\t') next += 1;
  return next;
};

const notEnded = (): UnreadableSettingsError =>
  new UnreadableSettingsError('its OptionSettings do not end in a parenthesis on the same line');

/** Where a quoted text ends, behind its quotation mark; a backslash keeps the next letter. */
const quoteEnd = (text: string, from: number, end: number): number => {
  for (let at = from + 1; at < end; at += text[at] === '\\' ? 2 : 1) if (text[at] === '"') return at + 1;
  throw notEnded();
};

/** Where a value ends: a quoted text, a list in parentheses, which may hold others, or words. */
const valueEnd = (text: string, from: number, end: number): number => {
  let depth = 0;
  let at = from;
  while (at < end) {
    const letter = text[at];
    if (letter === '"') {
      at = quoteEnd(text, at, end);
      continue;
    }
    if (depth === 0 && (letter === ',' || letter === ')')) return at;
    if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
    at += 1;
  }
  throw notEnded();
};

const section = '/Script/Pal.PalGameWorldSettings';
const starts = /^(?:\uFEFF|\xEF\xBB\xBF)?[ \t]*OptionSettings[ \t]*=[ \t]*\(/gim;
const name = /[\w.-]{1,100}/y;

/** Whether the game looks for its settings there: below its own heading. */
const isInSection = (text: string): boolean =>
  text
    .match(/^(?:\uFEFF|\xEF\xBB\xBF)?[ \t]*\[[^\]\r\n]*\]/gm)
    ?.at(-1)
    ?.toLowerCase()
    .includes(`[${section}]`.toLowerCase()) ?? false;

interface Options {
  readonly entries: readonly Entry[];
  /** Where its line begins. */
  readonly lineStart: number;
  /** Where another setting may be added. */
  readonly end: number;
  readonly isInSection: boolean;
}

/** As the engine's reader takes a structure: blanks anywhere between, names in any case, a comma too many. */
const readOptions = (text: string): Options => {
  const [start, another] = text.matchAll(starts);
  if (!start)
    throw new UnreadableSettingsError(
      'it has no OptionSettings; copy the contents of DefaultPalWorldSettings.ini into it',
    );
  if (another)
    throw new UnreadableSettingsError(
      'it has OptionSettings twice; keep the line that you want, and remove the other',
    );
  const from = start.index + start[0].length;
  const lineEnd = /[\r\n]|$/g;
  lineEnd.lastIndex = from;
  const end = lineEnd.exec(text)?.index ?? text.length;
  const entries: Entry[] = [];
  let at = blank(text, from);
  for (;;) {
    while (text[at] === ',') at = blank(text, at + 1);
    if (text[at] === ')' && at < end)
      return {
        entries,
        lineStart: start.index + (/^(?:\uFEFF|\xEF\xBB\xBF)?/.exec(start[0])?.[0].length ?? 0),
        end: entries.at(-1)?.end ?? at,
        isInSection: isInSection(text.slice(0, start.index)),
      };
    name.lastIndex = at;
    const key = name.exec(text)?.[0] ?? '';
    const equals = blank(text, at + key.length);
    if (key === '' || equals >= end || text[equals] !== '=') throw notEnded();
    const valueStart = blank(text, equals + 1);
    const stop = valueEnd(text, valueStart, end);
    const value = text.slice(valueStart, stop).replace(/[ \t]+$/, '');
    entries.push({ key: key.toLowerCase(), value, start: valueStart, end: valueStart + value.length });
    at = stop;
  }
};

const keys = { isOn: 'RESTAPIEnabled', port: 'RESTAPIPort', password: 'AdminPassword' } as const;

const unquote = (value: string): string => value.replace(/^"(.*)"$/s, '$1').replace(/\\(["\\])/g, '$1');

/** As the engine reads a whole number: without what stands behind its point. */
const enginePort = (text: string): number | null => portOf(text.replace(/\.\d*$/, ''));

/** The words that the engine takes for a true value. */
const isTrue = (text: string): boolean => /^(?:true|yes|1)$/i.test(text);

export const palworldSettings: SettingsFile = {
  read(content) {
    const { text, decode } = openSettingsText(content);
    const { entries, isInSection: isRead } = readOptions(text);
    const settingOf = (key: string) =>
      unquote(entries.findLast((one) => one.key === key.toLowerCase())?.value ?? '');
    const isOn = isTrue(settingOf(keys.isOn));
    const port = enginePort(settingOf(keys.port));
    const ownPort = games.palworld.defaultPort;
    return {
      isOn: isRead && isOn,
      port: port ?? ownPort,
      password: new Secret(decode(settingOf(keys.password))),
      notes: [
        ...(isRead ? [] : [`There is no [${section}] above its OptionSettings, so the game ignores them.`]),
        ...valueNotes(keys, settingOf, { isOn, port, ownPort }),
      ],
    };
  },
  turnOn(content, { port, password }) {
    const { text, newline, encode, toBytes } = openSettingsText(content);
    const { entries, lineStart, end, isInSection: isRead } = readOptions(text);
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
    const heading = isRead ? '' : `[${section}]${newline}`;
    return toBytes(
      replacePlaces(text, [
        { start: lineStart, end: lineStart, text: heading },
        ...changes,
        { start: end, end, text: comma + added },
      ]),
    );
  },
  overrides: () => ({}),
  isSafeWithoutPassword: false,
  // The game leaves the file that it creates empty.
  howToFill:
    'Start the game once, then copy the contents of DefaultPalWorldSettings.ini into PalWorldSettings.ini.',
  isWrittenAtStop: false,
};
