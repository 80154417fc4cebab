/**
 * Whether foreign JSON nests deeper or holds more values than allowed: parsing millions of brackets or rows, and listing what is
 * wrong with each, takes seconds and gigabytes. It is found in one pass, before anything is parsed.
 */
export const isBeyondMeasure = (
  text: string,
  most: { readonly depth: number; readonly values: number },
): boolean => {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBracket || code === openBrace) {
      depth += 1;
      if (depth > most.depth) return true;
    } else if (code === closeBracket || code === closeBrace) depth -= 1;
    else if (code === comma) {
      values += 1;
      if (values > most.values) return true;
    }
  }
  return false;
};

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  for (let code = text.charCodeAt(at); at < text.length && code !== quote; code = text.charCodeAt(at))
    at += code === backslash ? 2 : 1;
  return at;
};
