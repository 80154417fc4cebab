import { XMLParser } from 'fast-xml-parser';
import type { ModMetadata } from '#contracts/servers/agent-mods.ts';
import { keysOf, listOf, member, metadataOf, metadataText } from '../metadata-text.ts';
import { xmlTags } from './xml-tags.ts';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  // Letters by number, such as &#228;.
  htmlEntities: true,
});

/** In the encoding that its first line names, which the game goes by; else as all metadata. */
const infoText = (bytes: Buffer): string => {
  const named = /^<\?xml[^>]{1,100}?\sencoding=["'](?!utf)([\w.-]{1,40})["']/i.exec(
    bytes.toString('latin1', 0, 200),
  )?.[1];
  try {
    return named === undefined ? metadataText(bytes) : new TextDecoder(named).decode(bytes);
  } catch {
    return metadataText(bytes);
  }
};

/** Whatever it is called: the game does not care (FilUnderscore/ModManager, pull request 2). */
const rootOf = (document: unknown): unknown =>
  member(document, keysOf(document).find((key) => !/^[?#]/.test(key)) ?? '');

/**
 * ModInfo.xml: `<xml><Name value="…"/>` (V2, since Alpha 21), or the same in a `<ModInfo>` (V1), which the game loads with a
 * warning (https://7daystodie.fandom.com/wiki/Mod_Structure). Null: the game would not recognize it as a mod.
 */
export const readModInfo = (bytes: Buffer): ModMetadata | null => {
  const text = infoText(bytes);
  // The game's files have none, and a stranger's entities are not expanded.
  if (/<!DOCTYPE/i.test(text)) return null;
  let root: unknown;
  try {
    xmlTags(text);
    const document: unknown = parser.parse(text);
    root = rootOf(document);
  } catch {
    return null;
  }
  const [info = root] = listOf(member(root, 'ModInfo'));
  const value = (name: string) => member(listOf(member(info, name))[0], 'value');
  return metadataOf({
    id: value('Name'),
    name: value('DisplayName') ?? value('Name'),
    version: value('Version'),
    authors: listOf(value('Author')),
    loaders: [],
    side: null,
    requires: [],
    breaks: [],
  });
};
