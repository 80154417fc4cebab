import { Kbd, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { useMe } from '../access/access-state.ts';
import { useWords } from '../language/use-words.ts';
import { openDialog } from '../shell/shell-state.ts';
import type { Entry } from './entry.ts';
import { findEntries } from './find-entries.ts';
import classes from './palette.module.css';
import { paletteWords } from './palette.words.ts';
import { keepRecentEntry, recentEntries } from './recent-entries.ts';
import { useActionEntries } from './use-action-entries.tsx';
import { usePageEntries, usePlayerEntries, useServerEntries } from './use-entries.tsx';
import { useModEntries } from './use-mod-entries.tsx';
import { usePowerEntries } from './use-power-entries.tsx';
import { useSaveEntries } from './use-save-entries.tsx';

const typingPauseMs = 200;
const pageOfKeys = 8;

/** Where a key leads to in a list; null for keys that lead nowhere. */
const moved = (key: string, at: number, length: number): number | null => {
  switch (key) {
    case 'ArrowDown':
      return at === length - 1 ? 0 : at + 1;
    case 'ArrowUp':
      return at === 0 ? length - 1 : at - 1;
    case 'PageDown':
      return at + pageOfKeys;
    case 'PageUp':
      return at - pageOfKeys;
    default:
      return null;
  }
};

/** Everything by its name, from the keyboard: a field, and below it the list of what it fits. */
export const Palette = () => {
  const words = useWords(paletteWords);
  const me = useMe();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [settled] = useDebouncedValue(typed, typingPauseMs);
  const [recent] = useState(() => recentEntries(me.id));
  const isSettled = settled.trim() === typed.trim();
  const players = usePlayerEntries(settled);
  // Those of what was typed before are not what is meant now.
  const isSearching = players.isSearching || !isSettled;
  const known = [
    ...useServerEntries(),
    ...usePageEntries(),
    ...useActionEntries(),
    ...usePowerEntries(),
    ...useSaveEntries(),
    ...useModEntries(),
  ];
  const shown = findEntries([...known, ...(isSettled ? players.entries : [])], typed, recent);
  const at = Math.max(
    0,
    shown.findIndex((entry) => entry.id === chosenId),
  );
  const chosen = shown[at];

  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    if (chosen) document.getElementById(`${id}-${chosen.id}`)?.scrollIntoView({ block: 'nearest' });
  });

  const close = () => dialog.current?.close();
  const run = (entry: Entry) => {
    keepRecentEntry(me.id, entry.id);
    // First gives the focus back, so that what is run may take it.
    close();
    openDialog(null);
    entry.run();
  };
  const choose = (index: number) =>
    setChosenId(shown[Math.min(Math.max(0, index), shown.length - 1)]?.id ?? null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (chosen) run(chosen);
      return;
    }
    const to = moved(event.key, at, shown.length);
    if (to === null) return;
    event.preventDefault();
    choose(to);
  };
  const closeBeside = (event: MouseEvent) => {
    if (event.target === dialog.current) close();
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it by Escape
    <dialog
      ref={dialog}
      className={classes.palette}
      aria-label={words.title}
      onClose={() => openDialog(null)}
      onClick={closeBeside}
    >
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden />
        <input
          autoFocus
          role="combobox"
          aria-label={words.title}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(chosen && { 'aria-activedescendant': `${id}-${chosen.id}` })}
          placeholder={words.placeholder}
          value={typed}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setChosenId(null);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={words.title} className={classes.list}>
        {shown.map((entry, index) => (
          <Line
            key={`${entry.group} ${entry.id}`}
            id={`${id}-${entry.id}`}
            entry={entry}
            heading={entry.group === shown[index - 1]?.group ? null : words.groups[entry.group]}
            isChosen={index === at}
            onPoint={() => setChosenId(entry.id)}
            onRun={() => run(entry)}
          />
        ))}
      </div>
      <VisuallyHidden role="status">{words.found(shown.length)}</VisuallyHidden>
      <div className={classes.foot}>
        {isSearching && shown.length === 0 ? words.searching : shown.length === 0 ? words.none : words.keys}
        <Kbd size="xs">Esc</Kbd>
      </div>
    </dialog>
  );
};

interface LineProps {
  readonly id: string;
  readonly entry: Entry;
  readonly heading: string | null;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}

const Line = ({ id, entry, heading, isChosen, onPoint, onRun }: LineProps) => (
  <>
    {heading !== null && (
      <div role="presentation" className={classes.heading}>
        {heading}
      </div>
    )}
    {/* biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and says which option is active */}
    {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys */}
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      className={classes.entry}
      onPointerMove={onPoint}
      onClick={onRun}
    >
      {entry.icon}
      <bdi className={classes.label}>{entry.label}</bdi>
      {entry.hint && <bdi className={classes.hint}>{entry.hint}</bdi>}
    </div>
  </>
);
