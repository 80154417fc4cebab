import { ActionIcon, Kbd, Text, TextInput, Tooltip } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { SavedCommand } from '#contracts/servers/console.ts';
import { type GameId, longestCommand } from '#contracts/servers/games.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { setDraft, useDraft } from '../drafts.ts';
import { completionsOf } from './completion.ts';
import classes from './console.module.css';
import { consoleWords } from './console.words.ts';
import { type Pasted, pasteInto } from './one-line.ts';

/** The command line. */
export const CommandInput = (props: {
  readonly serverId: string;
  readonly game: GameId;
  readonly saved: readonly SavedCommand[];
  /** The person's own earlier commands, the newest first. */
  readonly earlier: readonly string[];
  readonly isBusy: boolean;
  readonly onSend: (command: string) => void;
  readonly onClear: () => void;
  /** Shown at the left of the line. */
  readonly savedMenu: ReactNode;
}) => {
  const { serverId, game, saved, earlier, isBusy, onSend, onClear, savedMenu } = props;
  const words = useWords(consoleWords);
  const typed = useDraft(serverId);
  const hintId = useId();
  /** How far back in `earlier`; -1 is the text being typed. */
  const [place, setPlace] = useState(-1);
  const kept = useRef('');
  const [pasted, setPasted] = useState<Pasted | null>(null);
  const [completion] = completionsOf(typed, saved, game, earlier);

  const recall = (next: number) => {
    if (next < -1 || next >= earlier.length) return;
    if (place === -1) kept.current = typed;
    setPlace(next);
    setDraft(serverId, next === -1 ? kept.current : (earlier[next] ?? ''));
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { currentTarget: field, clipboardData } = event;
    const { selectionStart, selectionEnd } = field;
    const end = typed.length;
    const next = pasteInto(typed, selectionStart ?? end, selectionEnd ?? end, clipboardData.getData('text'));
    setPasted(next);
    if (!next) return;
    event.preventDefault();
    setPlace(-1);
    flushSync(() => setDraft(serverId, next.text));
    field.setSelectionRange(next.cursor, next.cursor);
  };
  const send = () => {
    const command = typed.trim();
    if (command === '' || isBusy) return;
    setPlace(-1);
    onSend(command);
  };
  const press = (event: KeyboardEvent) => {
    // Safari ends a composition before the Enter that ended it; key code 229 still marks a key of a composition.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    act();
  };
  const actOf = ({ key, ctrlKey, shiftKey }: KeyboardEvent): (() => void) | null => {
    if (key === 'ArrowUp') return () => recall(place + 1);
    if (key === 'ArrowDown') return () => recall(place - 1);
    if (key === 'Escape' && place !== -1) return () => recall(-1);
    if (key === 'l' && ctrlKey) return onClear;
    if (key === 'Enter') return send;
    // Otherwise Tab moves on, as everywhere.
    if (key === 'Tab' && !shiftKey && completion) return () => setDraft(serverId, completion);
    return null;
  };

  const input = useRef<HTMLInputElement>(null);
  // A person who opens a console is about to type; on a phone, the keyboard would cover the lines.
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) input.current?.focus({ preventScroll: true });
  }, []);

  return (
    <div>
      <div className={classes.prompt}>
        {savedMenu}
        <span aria-hidden className={classes.sign}>
          ❯
        </span>
        <TextInput
          ref={input}
          className={classes.input ?? ''}
          variant="unstyled"
          aria-label={words.command}
          aria-describedby={hintId}
          placeholder={words.placeholder}
          value={typed}
          maxLength={longestCommand}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          onPaste={paste}
          onChange={({ currentTarget }) => {
            setPlace(-1);
            setPasted(null);
            setDraft(serverId, currentTarget.value);
          }}
          onKeyDown={press}
        />
        <span className={classes.hints} id={hintId}>
          {completion ? (
            <>
              <Kbd size="xs">Tab</Kbd> {words.tab} <bdi>{completion}</bdi>
            </>
          ) : (
            <>
              <Kbd size="xs">Tab</Kbd> {words.completes} <Kbd size="xs">↑</Kbd> {words.recalls}
            </>
          )}
        </span>
        <Tooltip label={words.send}>
          <ActionIcon
            variant="filled"
            aria-label={words.send}
            loading={isBusy}
            disabled={typed.trim() === ''}
            onClick={send}
          >
            <IconSend size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <div role="status">
        {pasted && typed === pasted.text && (pasted.isJoined || pasted.left > 0) && (
          <Text size="sm">
            {pasted.isJoined && words.joined} {pasted.left > 0 && words.tooLong(pasted.left)}
          </Text>
        )}
      </div>
    </div>
  );
};
