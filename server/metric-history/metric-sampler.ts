import type { Log } from '#runtime/log.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import { sampleMs } from './sample-times.ts';
import { type StepMetrics, sumOfKnown } from './step.ts';

/** What the process knows, or can ask its database with little. */
export interface MetricSources {
  /** How many are on each server; null where it is not known. */
  readonly players: () => readonly (number | null)[];
  /** Of the round trips that were made so many milliseconds ago or later; null when none was. */
  readonly databaseMs: (withinMs: number) => number | null;
  readonly queueDepth: () => Promise<number>;
  /** Events since the position that the last count gave; null without one. */
  readonly countEvents: (
    since: string | null,
  ) => Promise<{ readonly events: number | null; readonly position: string }>;
}

type Stored = Pick<StepMetrics, 'queueDepth' | 'events'>;
const unknownStored: Stored = { queueDepth: null, events: null };
const answerDeadlineMs = 2000;

/** @returns takes the figures of the step that ends now; never fails, and settles within two seconds */
export const createMetricSampler = (sources: MetricSources, log: Log): (() => Promise<StepMetrics>) => {
  let position: string | null = null;
  let isUnderWay = false;
  let isFaulty = false;

  const ask = async () => {
    isUnderWay = true;
    try {
      const queueDepth = await sources.queueDepth();
      return { queueDepth, ...(await sources.countEvents(position)) };
    } finally {
      isUnderWay = false;
    }
  };

  const stored = async (): Promise<Stored> => {
    // A database that stands still gets no second question.
    if (isUnderWay) return unknownStored;
    try {
      const answer = await withinDeadline(ask());
      if (!answer) return unknownStored;
      const { position: counted, ...known } = answer;
      // Not before: what came too late is counted again.
      position = counted;
      isFaulty = false;
      return known;
    } catch (error) {
      const isAway = isDatabaseUnavailable(error);
      if (isAway || isFaulty) log.debug({ err: error }, 'some figures are not known');
      else log.warn({ err: error }, 'some figures cannot be read');
      isFaulty ||= !isAway;
      return unknownStored;
    }
  };

  return async () => ({
    ...(await stored()),
    players: sumOfKnown(sources.players()),
    databaseMs: sources.databaseMs(sampleMs),
  });
};

/** Null when it takes too long. */
const withinDeadline = async <Value>(work: Promise<Value>): Promise<Value | null> => {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, answerDeadlineMs, null).unref();
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
};
