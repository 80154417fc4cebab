import type { CommandOutcome } from '#contracts/games.ts';
import { StateLabel, type Tone } from '../design/state-label.tsx';
import { useWords } from '../language/use-words.ts';
import { outcomesWords } from './outcomes.words.ts';

const tones: Partial<Record<CommandOutcome, Tone>> = {
  answered: 'ok',
  timeout: 'warn',
  'connection lost': 'warn',
  unknown: 'warn',
  'not ready': 'busy',
  cancelled: 'idle',
  expired: 'idle',
};

export interface OutcomeLabelProps {
  /** Null while it runs. */
  readonly outcome: CommandOutcome | null;
  /** The reply is an error of the game. */
  readonly isGameError?: boolean;
}

export const OutcomeLabel = ({ outcome, isGameError = false }: OutcomeLabelProps) => {
  const words = useWords(outcomesWords);
  if (outcome === null) return <StateLabel tone="busy">{words.running}</StateLabel>;
  if (isGameError) return <StateLabel tone="bad">{words.gameError}</StateLabel>;
  return <StateLabel tone={tones[outcome] ?? 'bad'}>{words.outcomes[outcome]}</StateLabel>;
};
