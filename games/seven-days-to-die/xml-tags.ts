import type { Place } from '../settings-text.ts';

interface XmlAttribute {
  /** The text between the quotes, as in the file. */
  readonly value: string;
  readonly place: Place;
}

interface XmlTag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: ReadonlyMap<string, XmlAttribute>;
  readonly start: number;
}

/** Its message says why the game's own reader (.NET's XmlDocument) refuses the whole text, and contains nothing of it. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

const skipped = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;

const attribute = /\s+([^\s=/>"']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const tagStart = /<(\/?)([^\s/><"'=]+)/y;
const tagEnd = /\s*(\/?)>/y;
const byteOrderMark = /^(?:\uFEFF|\xEF\xBB\xBF)?/;
/** An ampersand that begins no entity; people write it in names of servers and mods. */
const bareAmpersand = /&(?!(?:#\d{1,7}|#x[\da-fA-F]{1,6}|amp|lt|gt|quot|apos);)/;

const broken = () => new XmlError('it is no whole XML; the game or an editor may be writing it');
const refused = (why: string) => new XmlError(`${why}, for which the game refuses the whole file`);

const readTag = (text: string, at: number) => {
  tagStart.lastIndex = at;
  const [start = '', closing, name = ''] = tagStart.exec(text) ?? [];
  if (start === '') throw broken();
  const attributes = new Map<string, XmlAttribute>();
  let next = at + start.length;
  for (;;) {
    attribute.lastIndex = next;
    const found = attribute.exec(text);
    if (!found) break;
    next = attribute.lastIndex;
    const [, key = ''] = found;
    const value = found[2] ?? found[3] ?? '';
    if (attributes.has(key)) throw refused('it has an attribute twice in one tag');
    attributes.set(key, { value, place: { start: next - 1 - value.length, end: next - 1 } });
  }
  tagEnd.lastIndex = next;
  const end = tagEnd.exec(text);
  if (!end) throw broken();
  return {
    tag: { name, isEnd: closing === '/', attributes, start: at },
    isEmpty: end[1] === '/',
    end: tagEnd.lastIndex,
  };
};

/**
 * The tags of a whole document, in their order.
 * @throws {XmlError}
 */
export const xmlTags = (text: string): XmlTag[] => {
  const tags: XmlTag[] = [];
  const open: string[] = [];
  const begin = byteOrderMark.exec(text)?.[0].length ?? 0;
  const checkText = (from: number, to: number) => {
    const between = text.slice(from, to);
    if (bareAmpersand.test(between)) throw refused('it has an & that is not written as &amp;');
    if (open.length === 0 && between.trim() !== '') throw refused('it has text outside of its root');
  };
  let from = begin;
  for (let at = text.indexOf('<', begin); at !== -1; at = text.indexOf('<', from)) {
    checkText(from, at);
    const skip = skipped.find(([start]) => text.startsWith(start, at));
    if (skip) {
      const [start, stop] = skip;
      const end = text.indexOf(stop, at + start.length);
      if (end === -1) throw broken();
      const inside = text.slice(at + start.length, end);
      if (start === '<!--' && (inside.includes('--') || inside.endsWith('-')))
        throw refused('it has two hyphens within a comment');
      if (start === '<?' && /^xml\s/i.test(inside) && at !== begin)
        throw refused('something stands before its <?xml ?>');
      from = end + stop.length;
      continue;
    }
    const { tag, isEmpty, end } = readTag(text, at);
    if (tag.isEnd ? open.pop() !== tag.name : open.length === 0 && tags.length > 0) throw broken();
    if (!tag.isEnd && !isEmpty) open.push(tag.name);
    for (const { value } of tag.attributes.values())
      if (bareAmpersand.test(value)) throw refused('it has an & that is not written as &amp;');
    tags.push(tag);
    from = end;
  }
  checkText(from, text.length);
  if (open.length > 0 || tags.length === 0) throw broken();
  return tags;
};
