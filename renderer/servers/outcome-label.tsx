import type { InWords } from '#contracts/kernel/words.ts';
import type { ConsoleEntry } from '#contracts/servers/console.ts';
import { StateLabel } from '../kit/design/state-label.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { type OutcomeFacts, outcomeView } from './outcome-view.ts';
import { outcomesWords } from './outcomes.words.ts';

export const OutcomeLabel = (facts: OutcomeFacts) => {
  const words = useWords(outcomesWords);
  return <StateLabel tone={outcomeView(facts).tone}>{outcomeText(facts, words)}</StateLabel>;
};

export const EntryOutcome = ({ entry }: { readonly entry: Pick<ConsoleEntry, 'outcome' | 'gameError'> }) => (
  <OutcomeLabel outcome={entry.outcome} isGameError={entry.gameError === true} />
);

export const outcomeText = (facts: OutcomeFacts, words: InWords<(typeof outcomesWords)['en']>): string => {
  const { says } = outcomeView(facts);
  if (typeof says === 'string') return words[says];
  return 'verdict' in says ? words.verdicts[says.verdict] : words.outcomes[says.outcome];
};
