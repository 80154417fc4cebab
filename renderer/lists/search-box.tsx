import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type RefObject, useEffect, useState } from 'react';
import { useWords } from '../language/use-words.ts';
import { longestSearch } from './list-state.ts';
import classes from './lists.module.css';
import { listsWords } from './lists.words.ts';

/** As fast as a list on this device can keep up, and as often as an API should be asked. */
const pauseMs = { here: 60, api: 300 } as const;

export interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly at: keyof typeof pauseMs;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly onSearch: (text: string) => void;
  /** Moves down from the box into the list. */
  readonly onLeave: () => void;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** `/` focuses it from anywhere on the page; Escape clears it. */
export const SearchBox = ({ label, value, at, inputRef, onSearch, onLeave }: SearchBoxProps) => {
  const words = useWords(listsWords);
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const send = useDebouncedCallback((wanted: string) => {
    setSent(wanted);
    onSearch(wanted);
  }, pauseMs[at]);

  // A saved view, a link or "clear" has changed it from outside.
  if (value !== sent) {
    setSent(value);
    setText(value);
  }

  const type = (wanted: string) => {
    setText(wanted);
    send(wanted);
  };

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (isTyping(event.target) || document.querySelector('[role=dialog]')) return;
      event.preventDefault();
      inputRef.current?.focus();
      inputRef.current?.select();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, [inputRef]);

  return (
    <TextInput
      ref={inputRef}
      type="search"
      className={classes.search}
      aria-label={words.searchIn(label)}
      aria-keyshortcuts="/"
      placeholder={words.search}
      value={text}
      maxLength={longestSearch}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? (
          <Kbd size="xs" aria-hidden>
            /
          </Kbd>
        ) : (
          <CloseButton
            size="sm"
            aria-label={words.clear(words.search)}
            onClick={() => {
              type('');
              inputRef.current?.focus();
            }}
          />
        )
      }
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && text !== '') {
          event.preventDefault();
          type('');
        } else if (event.key === 'ArrowDown') {
          event.preventDefault();
          onLeave();
        }
      }}
    />
  );
};
