import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../kit/language/use-words.ts';
import { plainText } from '../plain-text.ts';
import classes from './console.module.css';
import { consoleWords } from './console.words.ts';

const foldedLines = 12;
/** Collapsing only a few lines helps no one. */
const mostLines = 20;
/** A single line can be as long as a whole reply. */
const foldedCharacters = 2000;

/** A game's reply unchanged: never as markup, in its own direction, collapsed if it is long. */
export const ReplyText = ({
  reply,
  isTruncated,
}: {
  readonly reply: string;
  readonly isTruncated: boolean;
}) => {
  const words = useWords(consoleWords);
  const [isOpen, setIsOpen] = useState(false);
  const text = plainText(reply).replace(/\n+$/, '');
  const lines = text.split('\n');
  const isLong = lines.length > mostLines || text.length > foldedCharacters;
  const shown = isLong && !isOpen ? lines.slice(0, foldedLines).join('\n').slice(0, foldedCharacters) : text;
  if (text.trim() === '')
    return (
      <Text size="sm" c="dimmed">
        {words.emptyReply}
      </Text>
    );
  return (
    <div>
      <pre className={classes.reply}>{shown}</pre>
      {isLong && (
        <Button size="compact-xs" variant="default" onClick={() => setIsOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? words.fold : lines.length > foldedLines ? words.showLines(lines.length) : words.showAll}
        </Button>
      )}
      {isTruncated && (
        <Text size="sm" c="dimmed">
          {words.truncated}
        </Text>
      )}
    </div>
  );
};
