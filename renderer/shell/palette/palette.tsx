import { Kbd, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowLeft, IconDeviceFloppy, IconSearch } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import * as z from 'zod';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan, useMe } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { openDialog } from '../shell-state.ts';
import { actOnServer } from './act-on-server.ts';
import type { ChosenPlayer, Entry, NextStep } from './entry.ts';
import { findEntries } from './find-entries.ts';
import classes from './palette.module.css';
import { paletteWords } from './palette.words.ts';
import { PaletteLine } from './palette-line.tsx';
import { useActionEntries } from './use-action-entries.tsx';
import {
  playerEntries,
  useFoundPlayers,
  usePageEntries,
  useServerEntries,
  useWaitingEntries,
} from './use-entries.tsx';
import { useModEntries } from './use-mod-entries.tsx';
import { usePlayerActEntries } from './use-player-act-entries.tsx';
import { usePowerEntries } from './use-power-entries.tsx';

/** A backup of the saves of each server with an agent; the page of the server asks first. */
const useSaveEntries = (): readonly Entry[] => {
  const words = useWords(paletteWords);
  const can = useCan();
  const read = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('saves.write') });
  return actOnServer(words, {
    id: 'saves',
    icon: <IconDeviceFloppy size={18} aria-hidden />,
    servers: (read.data?.rows ?? []).filter(
      ({ id, status }) => status.agentMode !== null && can('saves.write', id),
    ),
    general: (texts) => texts.backUpSavesOfOne,
    direct: (texts, server) => texts.backUpSaves(server),
    run: (id) => goTo(`/servers/${encodeURIComponent(id)}/saves?save=backup`),
  });
};

const mostKept = 6;
const kept = z.array(z.string()).catch([]);
const keyOf = (person: string) => `castellan.recent.${person}`;

/** The ids of the entries that a person used last in the palette, the newest first. */
const recentEntries = (person: string): readonly string[] => {
  try {
    return kept.parse(JSON.parse(localStorage.getItem(keyOf(person)) ?? '[]'));
  } catch {
    return [];
  }
};

const keepRecentEntry = (person: string, id: string): void => {
  const ids = [id, ...recentEntries(person).filter((known) => known !== id)];
  localStorage.setItem(keyOf(person), JSON.stringify(ids.slice(0, mostKept)));
};

const typingPauseMs = 200;
const pageOfKeys = 8;

/** The index that a key leads to in a list; null for keys that lead nowhere. */
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

/** An act that asks for something first. */
type Step = Entry & { readonly next: NextStep };

const hasNext = (entry: Entry): entry is Step => 'next' in entry;

/** Everything that the palette knows without a request. */
const useKnown = (): readonly Entry[] => {
  const waiting = useWaitingEntries();
  const acts = usePlayerActEntries();
  const power = usePowerEntries();
  const saves = useSaveEntries();
  const mods = useModEntries();
  const general = useActionEntries();
  const pages = usePageEntries();
  const servers = useServerEntries();
  return [...waiting, ...acts, ...power, ...saves, ...mods, ...general, ...pages, ...servers];
};

interface Listed {
  readonly step: Step | null;
  readonly shown: readonly Entry[];
  readonly isSearching: boolean;
}

/** The current choices: anything, or the targets of the selected act. */
const useListed = (
  typed: string,
  stepId: string | null,
  onPlayer: (step: NextStep, player: ChosenPlayer) => void,
): Listed => {
  const me = useMe();
  const known = useKnown();
  const [settled] = useDebouncedValue(typed, typingPauseMs);
  const [recent] = useState(() => recentEntries(me.id));
  const step = known.filter(hasNext).find(({ id }) => id === stepId) ?? null;
  const ofPlayers = step?.next.of === 'players' ? step.next : null;
  const search = useFoundPlayers(settled, { isOnlineFirst: ofPlayers !== null });
  const players = ofPlayers ? search.players.filter(ofPlayers.isFor) : search.players;
  const isSettled = settled.trim() === typed.trim();
  // Results for an earlier text no longer match.
  const found = isSettled ? playerEntries(players) : [];
  const isWaiting = search.isSearching || !isSettled;
  if (step === null)
    return { step, shown: findEntries([...known, ...found], typed, recent), isSearching: isWaiting };
  if (step.next.of === 'servers')
    return { step, shown: findEntries(step.next.entries, typed, []), isSearching: false };
  const run = (index: number) => () => {
    const player = players[index];
    if (player) onPlayer(step.next, player);
  };
  return {
    step,
    shown: found.map((entry, index) => ({ ...entry, run: run(index) })),
    isSearching: isWaiting,
  };
};

/** Everything by its name, from the keyboard: a field, and below it the matching entries. */
export const Palette = () => {
  const words = useWords(paletteWords);
  const me = useMe();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [stepId, setStepId] = useState<string | null>(null);
  /** Shown in place of the list. */
  const [question, setQuestion] = useState<ReactNode>(null);
  const leave = () => openDialog(null);
  const isAsking = useRef(false);
  const ask = (next: NextStep, player: ChosenPlayer) => {
    if (next.of !== 'players') return;
    isAsking.current = true;
    // Returns the focus first, so that the question later returns it to the same place.
    dialog.current?.close();
    setQuestion(next.show(player, leave));
  };
  const closed = () => {
    if (!isAsking.current) leave();
  };
  const { step, shown, isSearching } = useListed(typed, stepId, ask);
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
  if (question !== null) return question;

  const begin = (id: string | null) => {
    setStepId(id);
    setTyped('');
    setChosenId(null);
    field.current?.focus();
  };
  const run = (entry: Entry) => {
    if (hasNext(entry)) {
      keepRecentEntry(me.id, entry.id);
      begin(entry.id);
      return;
    }
    if (step?.next.of === 'players') {
      entry.run();
      return;
    }
    if (step === null) keepRecentEntry(me.id, entry.id);
    // Returns the focus first, so that the action may take it.
    dialog.current?.close();
    leave();
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
    if (event.key === 'Backspace' && typed === '' && step !== null) {
      event.preventDefault();
      begin(null);
      return;
    }
    const to = moved(event.key, at, shown.length);
    if (to === null) return;
    event.preventDefault();
    choose(to);
  };
  const closeBeside = (event: MouseEvent) => {
    if (event.target === dialog.current) dialog.current?.close();
  };
  const label = step?.label ?? words.title;
  const wanted = step && (step.next.of === 'servers' ? words.whichServer : words.whichPlayer);
  const keys = step ? words.keysOfStep : words.keys;
  const nothing = step?.next.of === 'players' && typed.trim() === '' ? words.noneOnline : words.none;

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it by Escape
    <dialog
      ref={dialog}
      className={classes.palette}
      aria-label={label}
      onClose={closed}
      onClick={closeBeside}
    >
      {step && (
        <button
          type="button"
          className={classes.step}
          aria-label={`${words.back}: ${step.label}`}
          onClick={() => begin(null)}
        >
          <IconArrowLeft size={16} aria-hidden />
          {step.label}
        </button>
      )}
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden />
        <input
          ref={field}
          autoFocus
          role="combobox"
          aria-label={step ? `${step.label} ${wanted}` : words.title}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(chosen && { 'aria-activedescendant': `${id}-${chosen.id}` })}
          placeholder={wanted ?? words.placeholder}
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
      <div id={`${id}-list`} role="listbox" aria-label={label} className={classes.list}>
        {shown.map((entry, index) => (
          <PaletteLine
            key={`${entry.group} ${entry.id}`}
            id={`${id}-${entry.id}`}
            entry={entry}
            heading={
              step !== null || entry.group === shown[index - 1]?.group ? null : words.groups[entry.group]
            }
            isChosen={index === at}
            onPoint={() => setChosenId(entry.id)}
            onRun={() => run(entry)}
          />
        ))}
      </div>
      <VisuallyHidden role="status">{words.found(shown.length)}</VisuallyHidden>
      <div className={classes.foot}>
        {isSearching && shown.length === 0 ? words.searching : shown.length === 0 ? nothing : keys}
        <Kbd size="xs">Esc</Kbd>
      </div>
    </dialog>
  );
};
