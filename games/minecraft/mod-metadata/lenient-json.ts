const control: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * JSON as the loaders accept it: also with line breaks inside strings, which many mods have in their descriptions, and in the older
 * formats, which Gson reads leniently, with comments and commas at the end of a list.
 * @throws {SyntaxError}
 */
export const parseLenientJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(strictJson(text));
  }
};

/** Goes through the text once: a stranger's file may be made to be slow. */
const strictJson = (text: string): string => {
  const parts: string[] = [];
  let comma = -1;
  for (let at = 0; at < text.length; ) {
    const letter = text[at] ?? '';
    const pair = text.slice(at, at + 2);
    if (letter === '"') {
      const end = stringEnd(text, at);
      parts.push(text.slice(at, end).replace(/\p{Cc}/gu, escaped));
      at = end;
    } else if (pair === '//' || letter === '#') {
      at = endOr(text.indexOf('\n', at), text);
      continue;
    } else if (pair === '/*') {
      at = endOr(text.indexOf('*/', at + 2) + 2, text);
      continue;
    } else {
      if (comma !== -1 && (letter === ']' || letter === '}')) parts[comma] = '';
      parts.push(letter);
      at += 1;
    }
    if (letter === ',') comma = parts.length - 1;
    else if (letter.trim() !== '') comma = -1;
  }
  return parts.join('');
};

const escaped = (letter: string): string =>
  control[letter] ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const stringEnd = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
};

/** A search that found nothing answers -1, or 1 with the length of what was searched for. */
const endOr = (found: number, text: string): number => (found < 2 ? text.length : found);
