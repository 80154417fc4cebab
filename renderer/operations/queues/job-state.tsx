import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { queuesWords } from '../stack-health/queues.words.ts';
import type { Job } from './use-queues.ts';

const tones = {
  created: 'idle',
  retry: 'busy',
  active: 'busy',
  completed: 'ok',
  cancelled: 'idle',
  failed: 'bad',
} as const satisfies Record<Job['state'], Tone>;

export const JobState = ({ state }: Pick<Job, 'state'>) => {
  const { states } = useWords(queuesWords);
  return <StateLabel tone={tones[state]}>{states[state]}</StateLabel>;
};
