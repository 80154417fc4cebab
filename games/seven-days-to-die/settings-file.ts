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
import { openSettingsText, type Place, replacePlaces } from '../settings-text.ts';
import { XmlError, xmlTags } from './xml-tags.ts';

/**
 * serverconfig.xml: `<property name="TelnetPort" value="8081"/>` in `<ServerSettings>`, most with a comment after it (the file
 * shipped with the game; https://7daystodie.wiki.gg/wiki/Server:_serverconfig.xml). Without a password the game's telnet listens
 * only on its own machine, with one on all addresses (its TelnetConsole). No library writes XML back byte for byte, so this code
 * walks the tags itself.
 */
interface Property {
  readonly name: string;
  /** The text between the quotes, as in the file. */
  readonly value: string;
  readonly place: Place;
}

interface Document {
  readonly properties: readonly Property[];
  /** Where the root's end tag begins; null when the file ends before it. */
  readonly rootEnd: number | null;
}

const root = 'ServerSettings';
const readDocument = (text: string): Document => {
  const properties: Property[] = [];
  let rootEnd: number | null = null;
  for (const { name: tag, isEnd, attributes, start } of tagsOf(text)) {
    if (isEnd && tag === root) rootEnd = start;
    const name = attributes.get('name');
    const value = attributes.get('value');
    if (tag === 'property' && name && value) properties.push({ name: decodeEntities(name.value), ...value });
  }
  return { properties, rootEnd };
};

const tagsOf = (text: string) => {
  try {
    return xmlTags(text);
  } catch (error) {
    throw error instanceof XmlError ? new UnreadableSettingsError(error.message, { cause: error }) : error;
  }
};

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decodeEntities = (value: string): string =>
  value.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|([a-z]+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });

/** Letters beyond ASCII become numeric references, so that the file's encoding does not matter. */
const encodeEntities = (value: string): string =>
  value.replaceAll('&', '&amp;').replace(/[<>"']|[^\x20-\x7E]/gu, (letter) => `&#${letter.codePointAt(0)};`);

const keys = { isOn: 'TelnetEnabled', port: 'TelnetPort', password: 'TelnetPassword' } as const;
const isTrue = (text: string): boolean => text.trim().toLowerCase() === 'true';

const open = (content: Buffer) => {
  const opened = openSettingsText(content);
  const document = readDocument(opened.text);
  if (document.rootEnd === null) throw new UnreadableSettingsError(`it has no <${root}>`);
  return { ...opened, ...document, rootEnd: document.rootEnd };
};

export const sevenDaysSettings: SettingsFile = {
  read(content) {
    const { properties, decode } = open(content);
    const settingOf = (name: string) =>
      decodeEntities(decode(properties.findLast((property) => property.name === name)?.value ?? ''));
    const isOn = isTrue(settingOf(keys.isOn));
    const port = portOf(settingOf(keys.port));
    const ownPort = games['seven-days-to-die'].defaultPort;
    return {
      isOn,
      port: port ?? ownPort,
      password: new Secret(settingOf(keys.password)),
      notes: valueNotes(keys, settingOf, { isOn, port, ownPort }),
    };
  },
  turnOn: (content, { port, password }) =>
    setSevenDaysSettings(content, {
      [keys.isOn]: 'true',
      [keys.port]: String(port),
      [keys.password]: password.reveal(),
    }),
  overrides(args) {
    // The game also accepts each property as an argument: -TelnetPort=8081.
    const settingOf = (name: string) =>
      args.findLast((arg) => arg.toLowerCase().startsWith(`-${name.toLowerCase()}=`))?.slice(name.length + 2);
    return readOverrides(keys, isTrue, settingOf);
  },
  isSafeWithoutPassword: true,
  howToFill: startOnce,
  isWrittenAtStop: false,
};

/** The file with these settings, by name. @throws {UnreadableSettingsError} */
export const setSevenDaysSettings = (content: Buffer, wanted: Readonly<Record<string, string>>): Buffer => {
  const { text, newline, properties, rootEnd, decode, toBytes } = open(content);
  const changes = properties.flatMap(({ name, value, place }) => {
    const put = wanted[name];
    const isSo = name === keys.isOn ? isTrue(value) : decodeEntities(decode(value)) === put;
    return put === undefined || isSo ? [] : [{ ...place, text: encodeEntities(put) }];
  });
  const missing = Object.entries(wanted).filter(([name]) => !properties.some((found) => found.name === name));
  const added = missing
    .map(([name, value]) => `\t<property name="${name}" value="${encodeEntities(value)}"/>${newline}`)
    .join('');
  return toBytes(replacePlaces(text, [...changes, { start: rootEnd, end: rootEnd, text: added }]));
};

/** A setting by its name; null when the file does not contain it. @throws {UnreadableSettingsError} */
export const sevenDaysSetting = (content: Buffer, name: string): string | null => {
  const { properties, decode } = open(content);
  const found = properties.findLast((property) => property.name === name);
  return found ? decodeEntities(decode(found.value)) : null;
};
