import type { LineHistory } from '../history/line-history.ts';
import type { EventBuffer } from './event-buffer.ts';

/** How far lines were read whose events the API has: the next agent continues there. */
interface EventMarks<At> {
  /** The line that ends there was processed. */
  read(at: At): void;
  /** @throws when it cannot be written */
  keep(): Promise<void>;
  /** At most once a second. @throws as `keep` */
  keepAtTimes(): Promise<void>;
}

/** A write with its sync costs the disk a little; if the mark is behind, the API already has the repeated events and drops them. */
const keepMs = 1000;
/** As many as the events that are kept for the API. */
const mostMarks = 5000;

export const createEventMarks = <At>(
  events: Pick<EventBuffer, 'acknowledged' | 'last'>,
  history: Pick<LineHistory, 'flush'>,
  write: (at: At, event: number) => Promise<void>,
): EventMarks<At> => {
  /** Each is the last line before the next event. */
  let marks: { at: At; readonly event: number }[] = [];
  let keptAtMs = Number.NEGATIVE_INFINITY;

  const keep = async () => {
    const acknowledged = events.acknowledged();
    const done = marks.findLast(({ event }) => event <= acknowledged);
    if (!done) return;
    const { at, event } = done;
    keptAtMs = performance.now();
    // A position is never ahead of the stored lines: an agent that is killed loses none.
    await history.flush();
    await write(at, event);
    // A line that was read in between may have moved the mark.
    marks = marks.filter((mark) => mark.event > event || (mark === done && mark.at !== at));
  };
  return {
    read(at) {
      const event = events.last();
      const newest = marks.at(-1);
      if (newest?.event === event) newest.at = at;
      else marks.push({ at, event });
      if (marks.length > mostMarks) marks.shift();
    },
    keep,
    keepAtTimes: () => (performance.now() - keptAtMs >= keepMs ? keep() : Promise.resolve()),
  };
};
