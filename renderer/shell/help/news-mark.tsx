import { VisuallyHidden } from '@mantine/core';
import { useWords } from '../../kit/language/use-words.ts';
import { helpWords } from './help.words.ts';
import classes from './news-mark.module.css';
import { useHasNews } from './news-seen.ts';

/** A subtle mark after an update, until the person has seen what is new. */
export const NewsMark = () => {
  const words = useWords(helpWords);
  return (
    useHasNews() && (
      <span className={classes.mark} title={words.updated}>
        <VisuallyHidden>({words.updated})</VisuallyHidden>
      </span>
    )
  );
};
