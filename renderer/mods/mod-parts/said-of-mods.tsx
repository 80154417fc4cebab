import { reasonOf } from '#contracts/kernel/reasons.ts';
import { reasonsWords, reasonText } from '../../kit/language/reasons.words.ts';
import { useWords } from '../../kit/language/use-words.ts';

/** The API's text about a mod or a job, in the reader's language; texts of an agent, a game or a person stay unchanged. */
export const SaidOfMods = ({ detail }: { readonly detail: string }) => {
  const words = useWords(reasonsWords);
  return <bdi>{reasonText(words, reasonOf(detail), detail)}</bdi>;
};
