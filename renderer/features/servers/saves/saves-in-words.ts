import type { TaskProgress } from '#contracts/agent-tasks.ts';
import type { Format } from '#contracts/format.ts';
import type { InWords } from '../../../language/define-words.ts';
import type { savesWords } from './saves.words.ts';

type Words = InWords<(typeof savesWords)['en']>;

const steps: readonly (readonly [RegExp, keyof Words['steps']])[] = [
  [/^Looking for the worlds/, 'looking'],
  [/^Asking the game to save/, 'saving'],
  [/^Copying the saves/, 'copying'],
  [/^Unpacking the backup/, 'unpacking'],
];

/** What the agent says of its steps, in the words of the panel; what a later agent says comes unchanged. */
export const stepInWords = (progress: TaskProgress | null, words: Words['steps']): string => {
  if (progress === null) return words.waits;
  const name = steps.find(([pattern]) => pattern.test(progress.step))?.[1];
  return name === undefined ? progress.step : words[name];
};

/** Between 0 and 100; null while it cannot be told. */
export const percentOf = ({ done, total }: TaskProgress): number | null =>
  total === null || total === 0 ? null : Math.min(100, Math.floor((done / total) * 100));

/** A sentence that the agent wrote beside a backup, in the words of the panel; one of a later agent comes unchanged. */
export const noteInWords = (note: string, words: Words['notes']): string => {
  const files = (list: string) =>
    list.replace(/ and (\d+) more$/, (_, count: string) => ` ${words.more(count)}`);
  const [, links] = /^Links were left out: (.+)\.$/s.exec(note) ?? [];
  if (links !== undefined) return words.links(files(links));
  const [, changed] = /^The game changed files while they were copied: (.+)\.$/s.exec(note) ?? [];
  if (changed !== undefined) return words.changed(files(changed));
  const [, reason] = /^The game did not save: (.+)$/s.exec(note) ?? [];
  if (reason !== undefined) return words.notSaved(reason);
  const [, unsaid] = /^There is more to know about this backup \((\d+)\)/.exec(note) ?? [];
  if (unsaid !== undefined) return words.unsaid(unsaid);
  if (note.startsWith('The game could not be asked to save first')) return words.notAsked;
  return note.startsWith('The game has no command that saves') ? words.noCommand : note;
};

/** When a backup was taken, exactly enough to tell it from the others. */
export const momentOf = (at: string, format: Format): string => `${format.date(at)}, ${format.time(at)}`;

/** Minutes after midnight, as the agent's config.json has them. */
export const clockTime = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
