import type { Format } from '#contracts/kernel/format.ts';
import type { InWords } from '#contracts/kernel/words.ts';
import type { TaskProgress } from '#contracts/servers/agent-tasks.ts';
import type { powerWords } from './power.words.ts';

type Steps = InWords<(typeof powerWords)['en']>['steps'];

/** The steps of the agent in the words of the panel; those of a later agent are shown unchanged. */
const known: readonly (readonly [RegExp, Exclude<keyof Steps, 'announced'>])[] = [
  [/^The game saves/, 'saving'],
  [/^The game shuts down/, 'waiting'],
  [/^The game starts/, 'starting'],
  [/\bkill/i, 'killing'],
];

/** Until it is over, the game has only received announcements. */
export const isCountdown = ({ step, total }: TaskProgress): boolean =>
  total !== null && /until the stop$/.test(step);

export const stepInWords = (progress: TaskProgress, words: Steps, format: Format): string => {
  const { step, done, total } = progress;
  if (isCountdown(progress)) return words.announced(format.duration((total ?? 0) - done));
  const name = known.find(([pattern]) => pattern.test(step))?.[1];
  return name === undefined ? step : words[name];
};
