/** Texts that Postgres, and JSON in it, can hold: no NUL, no half of a character. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** What cannot be stored becomes U+FFFD. */
const replaced = (text: string): string => text.replaceAll('\0', '\u{fffd}').toWellFormed();

/** Someone else's text, at most this many characters of it. */
export const storableText = (text: string, longest: number): string => replaced(text.slice(0, longest));

/** JSON can only hold them as escapes. */
const unstorableEscape = /\\u(?:0000|d[89a-f])/i;

/** Reads JSON, with every text in it storable. @throws {SyntaxError} when it is not JSON */
export const parseStorableJson = (text: string): unknown =>
  unstorableEscape.test(text)
    ? JSON.parse(text, (_key, value: unknown) =>
        typeof value === 'string' ? replaced(value) : withStorableKeys(value),
      )
    : JSON.parse(text);

const withStorableKeys = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (Object.keys(value).every(isStorable)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [replaced(key), inner]));
};

/** The same for a value that was already read. */
export const storableValue = <Value>(value: Value): Value =>
  parseStorableJson(JSON.stringify(value)) as Value;

const storableTexts = (value: unknown): unknown => {
  if (typeof value === 'string') return replaced(value);
  return Array.isArray(value) ? value.map(storableTexts) : value;
};

/** The parameters of a query: what cannot be stored is not found, either, and need not be refused. */
export const storableQuery = <Query extends object>(query: Query): Query =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, storableTexts(value)])) as Query;

/**
 * Where a value holds texts that cannot be stored: `body.lines.0.name`. For the name of a field, it is the path of its object.
 * Without recursion, since a body may be nested more deeply than our stack.
 * @param path of the value itself
 */
export const unstorablePaths = (value: unknown, path: string): string[] => {
  const found: string[] = [];
  const left: (readonly [path: string, value: unknown])[] = [[path, value]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [at, inner] = next;
    if (typeof inner === 'string' && !isStorable(inner)) found.push(at);
    if (typeof inner !== 'object' || inner === null) continue;
    for (const [name, each] of Object.entries(inner)) {
      if (isStorable(name)) left.push([`${at}.${name}`, each]);
      else found.push(at);
    }
  }
  return found;
};
