/** `k` with Ctrl or ⌘ is `mod+k`; two keys one after the other are `g s`. Keys are named as in `KeyboardEvent.key`. */
export type Keys = string;

type Match =
  | { readonly outcome: 'none' }
  /** The beginning of a sequence: the next key decides. */
  | { readonly outcome: 'begun'; readonly typed: Keys }
  | { readonly outcome: 'found'; readonly keys: Keys };

/** The meaning of a key after those typed before it. A key that leads nowhere starts over. */
export const matchKeys = (typed: Keys, key: Keys, known: readonly Keys[]): Match => {
  const whole = typed ? `${typed} ${key}` : key;
  if (known.includes(whole)) return { outcome: 'found', keys: whole };
  if (known.some((keys) => keys.startsWith(`${whole} `))) return { outcome: 'begun', typed: whole };
  return typed ? matchKeys('', key, known) : { outcome: 'none' };
};

/** The name of a key press; null if it belongs to the browser or the system. */
export const nameOfKey = (options: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}): Keys | null => {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = options;
  const named = key.length === 1 ? key.toLowerCase() : key;
  const isChord = ctrlKey || metaKey;
  if (altKey || (isChord && shiftKey)) return null;
  return isChord ? `mod+${named}` : named;
};
