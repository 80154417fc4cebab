/** Scripts that are used together with Latin in one language (Unicode TR39, "highly restrictive"). */
const together: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

/** The recommended scripts of Unicode TR31, table 5; letters of all others count as one further script. */
const scripts = [
  ...['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Thaana', 'Ethiopic'],
  ...['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati'],
  ...['Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao', 'Tibetan', 'Myanmar'],
  'Khmer',
];
const patterns = scripts.map(
  (script) => [script, new RegExp(`\\p{Script_Extensions=${script}}`, 'u')] as const,
);
/** Characters without a script, or with that of the preceding character. */
const neutral = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** The scripts that a character is used in; null if it fits any. */
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
 * Whether a word mixes letters of scripts that no language writes together, such as a Cyrillic а in a Latin name. A
 * name whose words are each in a different script is ordinary.
 */
export const mixesScripts = (text: string): boolean =>
  !text
    .normalize('NFKC')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .every(fitsTogether);
