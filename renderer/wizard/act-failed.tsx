import { useWords } from '../language/use-words.ts';
import { BadNews } from './bad-news.tsx';
import { wizardWords } from './wizard.words.ts';

/** What the desktop could not do, or would not, in its own words. */
export const ActFailed = ({ error }: { readonly error: unknown }) => (
  <BadNews
    title={useWords(wizardWords).failed}
    detail={error instanceof Error ? error.message : String(error)}
  >
    {null}
  </BadNews>
);
