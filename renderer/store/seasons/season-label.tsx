import type { SeasonState } from '#contracts/store/seasons.ts';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { seasonsWords } from './seasons.words.ts';

const tones: Readonly<Record<SeasonState, Tone>> = {
  running: 'busy',
  done: 'ok',
  undoing: 'busy',
  undone: 'idle',
};

export const SeasonLabel = ({ state }: { readonly state: SeasonState }) => {
  const words = useWords(seasonsWords);
  return <StateLabel tone={tones[state]}>{words.states[state]}</StateLabel>;
};
