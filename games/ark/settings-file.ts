import { games } from '#contracts/servers/games.ts';
import { Secret } from '#runtime/secret.ts';
import {
  portOf,
  readOverrides,
  type SettingsFile,
  startOnce,
  UnreadableSettingsError,
  valueNotes,
} from '../settings-file.ts';
import { linePlaces, openSettingsText, type Place, replacePlaces, withoutMark } from '../settings-text.ts';

/**
 * GameUserSettings.ini, an Unreal Engine configuration: sections and keys in any case, `;` before comments, values optionally in
 * quotes, UTF-16 with a byte order mark where a letter needs it (the engine's FConfigFile and FFileHelper). The same section may
 * occur twice. Keys and command line: https://ark.wiki.gg/wiki/Server_configuration
 */
interface Entry extends Place {
  readonly key: string;
  readonly value: string;
}

interface Ini {
  readonly entries: readonly Entry[];
  /** Where a new line of the section goes: after its last heading. Null without such a section. */
  readonly headingEnd: number | null;
}

const section = 'serversettings';

/** Trims only ASCII blanks: other characters that JavaScript trims may be part of letters in UTF-8 bytes. */
const trimEnd = (text: string): string => {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(0, end);
};
const trim = (text: string): string => trimEnd(text).replace(/^[ \t]+/, '');

/** The entries of `[ServerSettings]`. */
export const readIni = (text: string): Ini => {
  const entries: Entry[] = [];
  let headingEnd: number | null = null;
  let isInside = false;
  for (const place of linePlaces(text)) {
    const line = withoutMark(text.slice(place.start, place.end));
    const heading = /^[ \t]*\[([^\]]*)\]/.exec(line)?.[1];
    if (heading !== undefined) {
      isInside = trim(heading).toLowerCase() === section;
      if (isInside) headingEnd = place.end;
      continue;
    }
    const key = trim(line.slice(0, Math.max(line.indexOf('='), 0)));
    if (!isInside || key === '' || key.startsWith(';')) continue;
    const raw = line.slice(line.indexOf('=') + 1);
    const start = place.end - raw.length + (raw.length - raw.replace(/^[ \t]+/, '').length);
    const end = Math.max(start, place.end - (raw.length - trimEnd(raw).length));
    entries.push({ key: key.toLowerCase(), value: text.slice(start, end), start, end });
  }
  return { entries, headingEnd };
};

export const unquote = (value: string): string =>
  /^".*"$/s.test(value) && value.length > 1 ? value.slice(1, -1).replace(/\\(["\\])/g, '$1') : value;

const keys = { isOn: 'RCONEnabled', port: 'RCONPort', password: 'ServerAdminPassword' } as const;

/** The digits with which a text begins (FCString::Atoi). */
const enginePort = (text: string): number | null => portOf(/^\s*\d*/.exec(text)?.[0] ?? '');

/** The values that the engine reads as true (FCString::ToBool). */
const isTrue = (text: string): boolean => /^(?:true|yes|on|[1-9]\d*)$/i.test(text.trim());

const formOf = (id: 'ark-se' | 'ark-asa'): SettingsFile => ({
  read(content) {
    const { text, decode } = openSettingsText(content);
    const values = new Map(readIni(text).entries.map(({ key, value }) => [key, value]));
    const settingOf = (key: string) => decode(unquote(values.get(key.toLowerCase()) ?? ''));
    const isOn = isTrue(settingOf(keys.isOn));
    const port = enginePort(settingOf(keys.port));
    const ownPort = games[id].defaultPort;
    return {
      isOn,
      port: port ?? ownPort,
      password: new Secret(settingOf(keys.password)),
      notes: valueNotes(keys, settingOf, { isOn, port, ownPort }),
    };
  },
  turnOn(content, { port, password }) {
    const { text, newline, encode, decode, toBytes } = openSettingsText(content);
    const { entries, headingEnd } = readIni(text);
    const value = password.reveal();
    if (/[\r\n"\\]/.test(value) || value !== value.trim())
      throw new UnreadableSettingsError('a password with quotes, backslashes or outer blanks does not fit');
    const wanted = { [keys.isOn]: 'True', [keys.port]: String(port), [keys.password]: value };
    const isSo = (key: string, raw: string, put: string) =>
      key === keys.isOn ? isTrue(unquote(raw)) : decode(unquote(raw)) === put;
    const changes = Object.entries(wanted).flatMap(([key, put]) =>
      entries
        // Changes every occurrence, so that it does not matter which one the game reads.
        .filter((entry) => entry.key === key.toLowerCase() && !isSo(key, entry.value, put))
        .map(({ start, end }) => ({ start, end, text: encode(put) })),
    );
    const missing = Object.entries(wanted)
      .filter(([key]) => !entries.some((entry) => entry.key === key.toLowerCase()))
      .map(([key, put]) => `${key}=${encode(put)}`);
    if (missing.length > 0 && headingEnd !== null) {
      const added = missing.map((line) => newline + line).join('');
      changes.push({ start: headingEnd, end: headingEnd, text: added });
    }
    const changed = replacePlaces(text, changes);
    if (missing.length === 0 || headingEnd !== null) return toBytes(changed);
    const gap = withoutMark(changed) === '' || changed.endsWith('\n') ? '' : newline;
    return toBytes(`${changed}${gap}${['[ServerSettings]', ...missing].join(newline)}${newline}`);
  },
  overrides(args) {
    const options = args.flatMap((arg) => arg.split('?').slice(1));
    const settingOf = (key: string) =>
      options
        .map((option) => option.split('='))
        .findLast(([name]) => name?.toLowerCase() === key.toLowerCase())
        ?.slice(1)
        .join('=');
    return readOverrides(keys, isTrue, settingOf);
  },
  isSafeWithoutPassword: false,
  howToFill: startOnce,
  isWrittenAtStop: true,
});

export const arkEvolvedSettings = formOf('ark-se');
export const arkAscendedSettings = formOf('ark-asa');
