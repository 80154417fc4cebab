import { useWords } from '../../kit/language/use-words.ts';
import classes from './mod-rows.module.css';
import { modSearchWords } from './mod-search.words.ts';
import { ScrolledText } from './scrolled-text.tsx';

/** A source's notes on a version, as plain text: they are written by strangers, and no link in them works. */
export const Changelog = ({ text }: { readonly text: string }) => {
  const words = useWords(modSearchWords);
  return (
    <details>
      <summary className={classes.summary}>{words.changelog}</summary>
      <ScrolledText className={classes.changelog} label={words.changelog}>
        {text.trim()}
      </ScrolledText>
    </details>
  );
};
