import { parse } from 'smol-toml';

/**
 * A mods.toml as Forge and NeoForge read it, with night-config: its strings in single quotation marks may contain line breaks
 * (TheElectronWill/night-config#87), as those of many mods do, and any other character; `[,]` is an empty list, and a table in braces may
 * end with a comma.
 * @throws {Error} where night-config throws, too
 */
export const parseForgeToml = (text: string): unknown => parse(plainToml(text));

/** With every string on one line, and without comments. */
const plainToml = (text: string): string => {
  const parts: string[] = [];
  /** Where the last comma is, as long as only white space follows. */
  let comma = -1;
  for (let at = 0; at < text.length; ) {
    const letter = text[at] ?? '';
    if (letter === '#') {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
      continue;
    }
    if (letter === '"' || letter === "'") {
      const { value, end } = readString(text, at, letter);
      parts.push(JSON.stringify(value));
      at = end;
      comma = -1;
      continue;
    }
    if (comma !== -1 && (letter === '}' || letter === ']')) parts[comma] = '';
    // A carriage return alone ends a line, too.
    parts.push(letter === '\r' && text[at + 1] !== '\n' ? '\n' : letter);
    if (letter === ',') comma = parts.length - 1;
    else if (letter.trim() !== '') comma = -1;
    at += 1;
  }
  return parts.join('');
};

const readString = (text: string, start: number, mark: '"' | "'"): { value: string; end: number } => {
  const triple = mark.repeat(3);
  const isLong = text.startsWith(triple, start);
  const closing = isLong ? triple : mark;
  const parts: string[] = [];
  let at = start + closing.length;
  if (isLong) at += /^\r?\n/.exec(text.slice(at, at + 2))?.[0].length ?? 0;
  while (!text.startsWith(closing, at)) {
    const letter = text[at];
    if (letter === undefined) throw new SyntaxError('a string has no end');
    if (mark === '"' && letter === '\\') {
      const read = readEscape(text, at + 1, isLong);
      parts.push(read.value);
      at = read.end;
    } else {
      parts.push(letter);
      at += 1;
    }
  }
  at += closing.length;
  // TOML 1.0: one or two quotation marks may stand directly before the three.
  for (let more = 0; isLong && more < 2 && text[at] === mark; more += 1, at += 1) parts.push(mark);
  return { value: parts.join(''), end: at };
};

const simple: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  b: '\b',
  e: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const codeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

const readEscape = (text: string, at: number, isLong: boolean): { value: string; end: number } => {
  const letter = text[at] ?? '';
  const value = simple[letter];
  if (value !== undefined) return { value, end: at + 1 };
  const length = codeLengths[letter];
  if (length !== undefined) {
    const digits = text.slice(at + 1, at + 1 + length);
    const code = /^[0-9a-f]+$/i.test(digits) && digits.length === length ? Number.parseInt(digits, 16) : -1;
    if (code < 0 || code > 0x10_ffff) throw new SyntaxError(`\\${letter}${digits} is no character`);
    return { value: String.fromCodePoint(code).toWellFormed(), end: at + 1 + length };
  }
  if (!isLong || !/\s/.test(letter)) throw new SyntaxError(`\\${letter} is no character`);
  let end = at;
  while (/\s/.test(text[end] ?? '')) end += 1;
  return { value: '', end };
};
