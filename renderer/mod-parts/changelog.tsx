import { useWords } from '../language/use-words.ts';
import { modPartsWords } from './mod-parts.words.ts';
import classes from './mod-rows.module.css';

/** What a source says of a version, as plain text: it is a stranger's, and nothing in it is followed. */
export const Changelog = ({ text }: { readonly text: string }) => {
  const words = useWords(modPartsWords);
  return (
    <details>
      <summary className={classes.summary}>{words.changelog}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className={classes.changelog} aria-label={words.changelog} tabIndex={0}>
        <bdi>{text.trim()}</bdi>
      </section>
    </details>
  );
};
