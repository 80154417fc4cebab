/** Texts as Postgres and JSON in it can hold them: no NUL, no half of a character. What is neither becomes U+FFFD. */
const sound = (text: string): string => text.replaceAll('\0', '\u{fffd}').toWellFormed();

/** Someone else's text, at most so many characters of it. */
export const storableText = (text: string, longest: number): string => sound(text.slice(0, longest));

/** JSON can hold them as escapes alone. */
const unsoundEscape = /\\u(?:0000|d[89a-f])/i;

/** Reads JSON, every text in it storable. @throws {SyntaxError} when it is none */
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

/** The same for what was read already. */
export const storableValue = <Value>(value: Value): Value =>
  parseStorableJson(JSON.stringify(value)) as Value;
