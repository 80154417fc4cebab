/** Texts in a form that Postgres, and JSON in it, can hold: no NUL, no half of a character. These become U+FFFD. */
const sound = (text: string): string => text.replaceAll('\0', '\u{fffd}').toWellFormed();

/** Someone else's text, at most this many characters of it. */
export const storableText = (text: string, longest: number): string => sound(text.slice(0, longest));

/** JSON can only hold them as escapes. */
const unsoundEscape = /\\u(?:0000|d[89a-f])/i;

/** Reads JSON, with every text in it storable. @throws {SyntaxError} when it is not JSON */
export const parseStorableJson = (text: string): unknown =>
  unsoundEscape.test(text)
    ? JSON.parse(text, (_key, value: unknown) =>
        typeof value === 'string' ? sound(value) : withSoundKeys(value),
      )
    : JSON.parse(text);

const withSoundKeys = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (Object.keys(value).every((key) => key === sound(key))) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [sound(key), inner]));
};

/** The same for a value that was already read. */
export const storableValue = <Value>(value: Value): Value =>
  parseStorableJson(JSON.stringify(value)) as Value;
