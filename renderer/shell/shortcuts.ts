import { useEffect, useRef, useSyncExternalStore } from 'react';
import { type Keys, matchKeys, nameOfKey } from './key-sequence.ts';
import { hasShortcutsNow } from './shell-state.ts';

export interface Shortcut {
  /** Such as `?`, `g s` or `mod+k`; see key-sequence.ts. */
  readonly keys: Keys;
  /** Its action, in the words of the cheat sheet. */
  readonly label: string;
  readonly run: () => void;
}

const sequenceMs = 1500;
let registered: readonly (readonly Shortcut[])[] = [];
const listeners = new Set<() => void>();

const change = (next: typeof registered) => {
  registered = next;
  for (const listener of listeners) listener();
};

/** The shortcuts while the component is mounted; if two want the same keys, the later one gets them. */
export const useShortcuts = (shortcuts: readonly Shortcut[]): void => {
  const newest = useRef(shortcuts);
  useEffect(() => {
    newest.current = shortcuts;
  });
  const told = shortcuts.map(({ keys, label }) => `${keys}\n${label}`).join('\n\n');
  useEffect(() => {
    const mine = told
      .split('\n\n')
      .filter(Boolean)
      .map((text, index): Shortcut => {
        const [keys = '', label = ''] = text.split('\n');
        return { keys, label, run: () => newest.current[index]?.run() };
      });
    change([...registered, mine]);
    return () => change(registered.filter((each) => each !== mine));
  }, [told]);
};

/** All current shortcuts, for the cheat sheet. */
export const useAllShortcuts = (): readonly Shortcut[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => registered,
  ).flat();

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input, textarea, select, [role="textbox"], [role="menu"]') !== null);

const isDialogOpen = (): boolean => document.querySelector('dialog[open], [role="dialog"]') !== null;

/** Listens to the keyboard for all shortcuts; the caller stops it. */
export const startShortcuts = (): (() => void) => {
  let typed: Keys = '';
  let typedAtMs = 0;
  const onKeyDown = (event: KeyboardEvent) => {
    const key = nameOfKey(event);
    if (key === null || event.defaultPrevented || event.isComposing || event.repeat || isDialogOpen()) return;
    const isChord = key.startsWith('mod+');
    // Shift is pressed on the way to `?`.
    if (key === 'Shift' || (!isChord && (isField(event.target) || !hasShortcutsNow()))) return;
    const all = registered.flat();
    const before = event.timeStamp - typedAtMs < sequenceMs ? typed : '';
    const match = matchKeys(
      before,
      key,
      all.map(({ keys }) => keys),
    );
    typed = match.outcome === 'begun' ? match.typed : '';
    typedAtMs = event.timeStamp;
    if (match.outcome !== 'found') return;
    event.preventDefault();
    all.findLast(({ keys }) => keys === match.keys)?.run();
  };
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
};
