/** NUL, and halves of surrogate pairs: Postgres takes neither. JSON can hold them as escapes alone. */
const unsoundEscape = /\\u(?:0000|d[89a-f])/i;

const sound = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

/** Reads JSON, with what no database takes replaced by U+FFFD. @throws {SyntaxError} when it is none */
export const parseSoundJson = (text: string): unknown =>
  unsoundEscape.test(text)
    ? JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? sound(value) : value))
    : JSON.parse(text);

/** The same for what was read already. */
export const soundValue = <Value>(value: Value): Value => parseSoundJson(JSON.stringify(value)) as Value;
