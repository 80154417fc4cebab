import type { CodedReason } from '#contracts/reasons.ts';
import { reasonsWords, reasonText } from '../language/reasons.words.ts';
import { useWords } from '../language/use-words.ts';

export interface SaidProps {
  /** Null: a game or a person said it. */
  readonly reason: CodedReason;
  readonly detail: string | null;
}

/** Why, in the reader's language where the API has a code for it; otherwise as it was said. */
export const Said = ({ reason, detail }: SaidProps) => {
  const words = useWords(reasonsWords);
  return <bdi>{detail !== null && reasonText(words, reason, detail)}</bdi>;
};
