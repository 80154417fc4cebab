import { reasons } from '#contracts/kernel/reasons.ts';

/** The path to a value: names of objects and indexes in arrays. */
export type JsonPath = readonly (string | number)[];

class JsonFault extends Error {
  readonly offset: number;
  constructor(offset: number, reason: string) {
    super(reason);
    this.offset = offset;
  }
}

/** Deeper than any catalogue, and far from the end of the stack. */
const deepest = 32;

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const space = /[ \t\n\r]*/y;

/**
 * Walks through a JSON text and reports where each value begins.
 * @throws {JsonFault} at the first place that is not JSON, repeats a name, or is nested too deeply
 */
const walkJson = (text: string, onValue?: (path: JsonPath, offset: number) => void): void => {
  const path: (string | number)[] = [];
  let at = 0;

  const fail = (offset = at, reason: string = reasons['import-not-json']): never => {
    throw new JsonFault(offset, reason);
  };
  const skip = () => {
    space.lastIndex = at;
    space.test(text);
    at = space.lastIndex;
  };
  const take = (sign: string): boolean => {
    if (text[at] !== sign) return false;
    at += 1;
    skip();
    return true;
  };
  const takeString = (): string => {
    const start = at;
    at += 1;
    for (let code = text.charCodeAt(at); code !== 34; code = text.charCodeAt(at)) {
      if (Number.isNaN(code)) fail(start);
      if (code < 32) fail();
      at += code === 92 ? 2 : 1;
    }
    at += 1;
    const raw = text.slice(start, at);
    skip();
    try {
      return JSON.parse(raw) as string;
    } catch {
      // A backslash before a character that cannot follow one.
      return fail(start);
    }
  };
  const takeName = (names: Set<string>): string => {
    if (text[at] !== '"') fail();
    const start = at;
    const name = takeString();
    if (names.has(name)) fail(start, reasons['import-name-twice']);
    names.add(name);
    if (!take(':')) fail();
    return name;
  };
  const takeWord = (): void => {
    const word = ['true', 'false', 'null'].find((one) => text.startsWith(one, at));
    number.lastIndex = at;
    if (word !== undefined) at += word.length;
    else if (number.test(text)) at = number.lastIndex;
    else fail();
    skip();
  };
  const takeMembers = (end: '}' | ']'): void => {
    if (path.length >= deepest) fail(at, reasons['import-too-deep']);
    const names = new Set<string>();
    for (let place = 0; !take(end); place += 1) {
      if (place > 0 && !take(',')) fail();
      path.push(end === '}' ? takeName(names) : place);
      takeValue();
      path.pop();
    }
  };
  const takeValue = (): void => {
    onValue?.(path, at);
    if (take('{')) takeMembers('}');
    else if (take('[')) takeMembers(']');
    else if (text[at] === '"') takeString();
    else takeWord();
  };

  skip();
  takeValue();
  if (at < text.length) fail();
};

/** Also finds what `JSON.parse` accepts: repeated names, and values that are nested too deeply. */
export const findJsonFault = (text: string): Pick<JsonFault, 'message' | 'offset'> | null => {
  try {
    walkJson(text);
    return null;
  } catch (error) {
    if (error instanceof JsonFault) return error;
    throw error;
  }
};

/** @returns the line of each path, from 1; for a path that the text does not have, the line of its parent */
export const linesOf = (text: string, paths: readonly JsonPath[]): readonly number[] => {
  const wanted = new Set(paths.flatMap((path) => path.map((_, length) => keyOf(path.slice(0, length + 1)))));
  const offsets = new Map<string, number>();
  walkJson(text, (path, offset) => {
    const key = keyOf(path);
    if (wanted.has(key)) offsets.set(key, offset);
  });
  return paths.map((path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const offset = offsets.get(keyOf(path.slice(0, length)));
      if (offset !== undefined) return lineAt(text, offset);
    }
    return 1;
  });
};

const keyOf = (path: JsonPath): string => JSON.stringify(path);

export const lineAt = (text: string, offset: number): number => {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
};
