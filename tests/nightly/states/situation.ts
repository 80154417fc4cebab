import type { Observer, Sample } from './observers.ts';

/** After how many seconds everyone is asked. */
export const marks = [1, 5, 30, 65] as const;
export type Mark = (typeof marks)[number];

/**
 * - moments: then, it must not say that all is well
 * - `quiet`: it must not say anything of it
 */
export type Promised = readonly Mark[] | 'quiet';
/** From the first moment on. */
export const from = (first: Mark): readonly Mark[] => marks.filter((mark) => mark >= first);

/** Something that is wrong, planted from outside. */
export interface Situation {
  readonly name: string;
  readonly plant: () => Promise<unknown>;
  readonly undo: () => Promise<unknown>;
  /** What an observer's line about it contains; without, any line is about it, since nothing else is planted beside it. */
  readonly about?: Partial<Record<Observer, RegExp>>;
  /** Absent: nothing is promised. */
  readonly promised: Partial<Record<Observer, Promised>>;
}

/** The lines of an observer about a situation; none: it says that all is well, as far as this is concerned. */
export const linesAbout = (
  { about }: Pick<Situation, 'about'>,
  observer: Observer,
  sample: Partial<Sample>,
): readonly string[] => {
  const lines = sample[observer] ?? [];
  if (about === undefined) return lines;
  const wanted = about[observer];
  return wanted === undefined ? [] : lines.filter((line) => wanted.test(line));
};

export interface Row {
  readonly situation: Situation;
  /** Without those observers to whom it does not apply. */
  readonly samples: ReadonlyMap<Mark, Partial<Sample>>;
}

/** Where an observer said something else than was promised, a line each. */
export const brokenPromises = ({ situation, samples }: Row): readonly string[] =>
  Object.entries(situation.promised).flatMap(([observer, promised]) =>
    marks.flatMap((mark) => {
      const sample = samples.get(mark);
      const lines = sample ? linesAbout(situation, observer as Observer, sample) : [];
      if (promised === 'quiet')
        return lines.length === 0
          ? []
          : [`${situation.name}: ${observer} after ${mark} s says ${lines.join('; ')}`];
      return !promised.includes(mark) || lines.length > 0
        ? []
        : [`${situation.name}: ${observer} says ok after ${mark} s`];
    }),
  );
