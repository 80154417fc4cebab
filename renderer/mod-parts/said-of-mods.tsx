import { reasonOf } from '#contracts/reasons.ts';
import { reasonsWords, reasonText } from '../language/reasons.words.ts';
import { useWords } from '../language/use-words.ts';

/** What the API said of a mod or a job, in the reader's language; what an agent, a game or a person said stays as it is. */
export const SaidOfMods = ({ detail }: { readonly detail: string }) => {
  const words = useWords(reasonsWords);
  return <bdi>{reasonText(words, reasonOf(detail), detail)}</bdi>;
};
