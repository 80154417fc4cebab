/** `k` with Ctrl or ⌘ is `mod+k`; two keys one after the other are `g s`. Keys are named as `KeyboardEvent.key` does. */
export type Keys = string;

export type Match =
  | { readonly outcome: 'none' }
  /** The beginning of something: the next key decides. */
  | { readonly outcome: 'begun'; readonly typed: Keys }
  | { readonly outcome: 'found'; readonly keys: Keys };

/** What a key means after those typed before it. A key that leads nowhere begins anew. */
export const matchKeys = (typed: Keys, key: Keys, known: readonly Keys[]): Match => {
  const whole = typed ? `${typed} ${key}` : key;
  if (known.includes(whole)) return { outcome: 'found', keys: whole };
  if (known.some((keys) => keys.startsWith(`${whole} `))) return { outcome: 'begun', typed: whole };
  return typed ? matchKeys('', key, known) : { outcome: 'none' };
};

export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** A key press by its name; null when it belongs to the browser or the system. */
export const nameOfKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: PressedKey): Keys | null => {
  const named = key.length === 1 ? key.toLowerCase() : key;
  const isChord = ctrlKey || metaKey;
  if (altKey || (isChord && shiftKey)) return null;
  return isChord ? `mod+${named}` : named;
};
