import type { ReasonCode } from '#contracts/reasons.ts';
import { useWords } from '../language/use-words.ts';
import { reasonsWords } from './reasons.words.ts';

export interface SaidProps {
  /** Null: it was said by a game or by a person. */
  readonly reason: ReasonCode | null;
  readonly detail: string | null;
}

/** Why, in the reader's language where the API has a code for it; else as it was said. */
export const Said = ({ reason, detail }: SaidProps) => {
  const words = useWords(reasonsWords);
  return reason === null ? <bdi>{detail}</bdi> : words[reason];
};
