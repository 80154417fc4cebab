import type { TaskProgress } from '#contracts/agent-tasks.ts';
import type { Format } from '#contracts/format.ts';
import type { InWords } from '../../../language/define-words.ts';
import type { powerWords } from './power.words.ts';

type Steps = InWords<(typeof powerWords)['en']>['steps'];

/** What the agent says of its steps, in the words of the panel; what a later agent says comes as it is. */
const known: readonly (readonly [RegExp, Exclude<keyof Steps, 'announced'>])[] = [
  [/^the world is saved/i, 'saved'],
  [/\bsav(?:e|ing)\b/i, 'saving'],
  [/^waiting for the game to end/i, 'waiting'],
  [/\bkill/i, 'killing'],
  [/\bstart/i, 'starting'],
  [/\bstop/i, 'stopping'],
];

export const stepInWords = ({ step, done, total }: TaskProgress, words: Steps, format: Format): string => {
  if (/^announced/i.test(step) && total !== null) return words.announced(format.duration(total - done));
  const name = known.find(([pattern]) => pattern.test(step))?.[1];
  return name === undefined ? step : words[name];
};

/** Until it is over, the game was told nothing but that. */
export const isCountdown = ({ step }: Pick<TaskProgress, 'step'>): boolean => /^announced/i.test(step);
