import type { Format } from '#contracts/kernel/format.ts';
import type { InWords } from '#contracts/kernel/words.ts';
import type { TaskProgress } from '#contracts/servers/agent-tasks.ts';
import type { savesWords } from './saves.words.ts';

type Words = InWords<(typeof savesWords)['en']>;

const steps: readonly (readonly [RegExp, keyof Words['steps']])[] = [
  [/^Looking for the worlds/, 'looking'],
  [/^Asking the game to save/, 'saving'],
  [/^Copying the saves/, 'copying'],
  [/^Unpacking the backup/, 'unpacking'],
];

/** The steps of the agent in the words of the panel; those of a later agent are shown unchanged. */
export const stepInWords = (progress: TaskProgress | null, words: Words['steps']): string => {
  if (progress === null) return words.waits;
  const name = steps.find(([pattern]) => pattern.test(progress.step))?.[1];
  return name === undefined ? progress.step : words[name];
};

/** Between 0 and 100; null while unknown. */
export const percentOf = ({ done, total }: TaskProgress): number | null =>
  total === null || total === 0 ? null : Math.min(100, Math.floor((done / total) * 100));

/** With the variable part of each; the agent cuts off long lists. */
const notes: readonly (readonly [RegExp, Exclude<keyof Words['notes'], 'more'>])[] = [
  [/^Links were left out: (.+?)\.?$/s, 'links'],
  [/^Folders that look like worlds were left out: (.+?)\.?$/s, 'leftOut'],
  [/^Files whose names are not UTF-8, or too long, are missing: (.+?)\.?$/s, 'unnamed'],
  [/^The game let nobody read these files, and they are missing: (.+?)\.?$/s, 'locked'],
  [/^The game changed files while they were copied: (.+?)\.?$/s, 'changed'],
  [/^The game may have written files while they were copied: it did not stop saving\. ?(.*)$/s, 'wentOn'],
  [/^The game did not save(?:: | first; the backup holds what was on the disk\. ?)(.*)$/s, 'notSaved'],
  [/^The game did not say that it saved first; the backup holds what was on the disk\. ?(.*)$/s, 'unproven'],
  [/^The game could not be asked to save first/, 'notAsked'],
  [/^The game has no command that saves/, 'noCommand'],
  [/^The game did not save by itself before the backup, and still does not/, 'autosaveOff'],
  [/^The game answers, but no file of these worlds has changed since (\S+): it may/, 'dead'],
  [/^The game was not told to save again yet/, 'stillPaused'],
  [/^What was restored, and what the game wrote since, is kept until .*?: (.+)$/s, 'setAside'],
  [/^No saved world was found in (.+)\. Name its folder/s, 'noWorld'],
  [/^The disk is full/, 'diskFull'],
  [/^The agent ended during the backup/, 'cutOff'],
  [/^(?:There is more to know about this backup|More) \((\d+)\)/, 'unsaid'],
];

/**
 * A sentence that the agent wrote about a backup, or about how an act ended, in the words of the panel; one from a later
 * agent is shown unchanged.
 */
export const noteInWords = (note: string, words: Words['notes']): string => {
  for (const [pattern, name] of notes) {
    const found = pattern.exec(note);
    if (!found) continue;
    const [, particular = ''] = found;
    return words[name](
      particular.replace(/ and (\d+) more$/, (_, count: string) => ` ${words.more(count)}`),
    ).trim();
  }
  return note;
};

/** The time of a backup, exact enough to distinguish it from the others. */
export const momentOf = (at: string, format: Format): string => `${format.date(at)}, ${format.time(at)}`;

/** Minutes after midnight, as in the agent's config.json. */
export const clockTime = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
