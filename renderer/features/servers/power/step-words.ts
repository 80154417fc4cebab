import type { TaskProgress } from '#contracts/agent-tasks.ts';
import type { Format } from '#contracts/format.ts';
import type { InWords } from '../../../language/define-words.ts';
import type { powerWords } from './power.words.ts';

type Steps = InWords<(typeof powerWords)['en']>['steps'];

/** What the agent says of its steps, in the words of the panel; what a later agent says comes as it is. */
const known: readonly (readonly [RegExp, Exclude<keyof Steps, 'announced'>])[] = [
  [/^The game saves/, 'saving'],
  [/^The game shuts down/, 'waiting'],
  [/^The game starts/, 'starting'],
  [/\bkill/i, 'killing'],
];

/** Until it is over, the game was told nothing but that. */
export const isCountdown = ({ step, total }: TaskProgress): boolean =>
  total !== null && /until the stop$/.test(step);

export const stepInWords = (progress: TaskProgress, words: Steps, format: Format): string => {
  const { step, done, total } = progress;
  if (isCountdown(progress)) return words.announced(format.duration((total ?? 0) - done));
  const name = known.find(([pattern]) => pattern.test(step))?.[1];
  return name === undefined ? step : words[name];
};
