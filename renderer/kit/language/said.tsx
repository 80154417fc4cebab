import type { CodedReason } from '#contracts/kernel/reasons.ts';
import { reasonsWords, reasonText } from './reasons.words.ts';
import { useWords } from './use-words.ts';

/** The reason in the reader's language if the API has a code for it; otherwise unchanged. */
export const Said = ({
  reason,
  detail,
}: {
  /** Null: a text by a game or a person. */
  readonly reason: CodedReason;
  readonly detail: string | null;
}) => {
  const words = useWords(reasonsWords);
  return <bdi>{detail !== null && reasonText(words, reason, detail)}</bdi>;
};
