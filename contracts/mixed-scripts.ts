/** Beside Latin, these write one language together (Unicode TR39, "highly restrictive"). */
const together: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

/** The recommended scripts of Unicode TR31, table 5; letters of all others count as one more. */
const scripts = [
  ...['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Thaana', 'Ethiopic'],
  ...['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati'],
  ...['Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao', 'Tibetan', 'Myanmar'],
  'Khmer',
];
const patterns = scripts.map(
  (script) => [script, new RegExp(`\\p{Script_Extensions=${script}}`, 'u')] as const,
);
/** Of no script, or taking that of what they follow. */
const neutral = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** The scripts that a character is used in; null when it fits to any. */
const scriptsOf = (character: string): readonly string[] | null => {
  const known = patterns.filter(([, pattern]) => pattern.test(character)).map(([script]) => script);
  if (known.length > 0) return known;
  return neutral.test(character) ? null : ['other'];
};

const fitsTogether = (word: string): boolean => {
  const found = [...word].map(scriptsOf).filter((each) => each !== null);
  const candidates = [...scripts, 'other'].map((script) => [script]);
  return [...candidates, ...together].some((set) =>
    found.every((each) => each.some((script) => set.includes(script))),
  );
};

/**
 * Whether a word of the text takes letters of scripts that no language writes together, as a Cyrillic а in a Latin name.
 * Words each in a script of their own are an ordinary name.
 */
export const mixesScripts = (text: string): boolean =>
  !text
    .normalize('NFKC')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .every(fitsTogether);
