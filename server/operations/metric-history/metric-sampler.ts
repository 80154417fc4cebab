import type { Log } from '#runtime/log.ts';
import { within } from '#runtime/within.ts';
import { isDatabaseUnavailable } from '../../kernel/database/database-fault.ts';
import { sampleMs } from './sample-times.ts';
import { type StepMetrics, sumOfKnown } from './step.ts';

/** What the process knows, or can cheaply ask its database. */
export interface MetricSources {
  /** Players on each server; null where unknown. */
  readonly players: () => readonly (number | null)[];
  /** Of the round trips made within this many milliseconds; null when there were none. */
  readonly databaseMs: (withinMs: number) => number | null;
  readonly queueDepth: () => Promise<number>;
  /** Events since the position that the last count returned; null without one. */
  readonly countEvents: (
    since: string | null,
  ) => Promise<{ readonly events: number | null; readonly position: string }>;
}

type Stored = Pick<StepMetrics, 'queueDepth' | 'events'>;
const unknownStored: Stored = { queueDepth: null, events: null };
const answerDeadlineMs = 2000;

/** @returns a function that takes the figures of the step that ends now; never fails, and settles within two seconds */
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
    // A stalled database is not asked a second time.
    if (isUnderWay) return unknownStored;
    try {
      const answer = await within(answerDeadlineMs, ask(), () => null);
      if (!answer) return unknownStored;
      const { position: counted, ...known } = answer;
      // Not earlier: what came too late is counted again.
      position = counted;
      isFaulty = false;
      return known;
    } catch (error) {
      const isAway = isDatabaseUnavailable(error);
      if (isAway || isFaulty) log.debug({ err: error }, 'some metrics are unknown');
      else log.warn({ err: error }, 'could not read some metrics');
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
