import type { EventBuffer } from './event-buffer.ts';

/** How far lines were read whose events the API has: where the next agent goes on. */
export interface EventMarks<At> {
  /** The line that ends there was observed. */
  read(at: At): void;
  /** @throws when it cannot be written */
  keep(): Promise<void>;
  /** Not more often than once a second. @throws as `keep` */
  keepAtTimes(): Promise<void>;
}

/** A write with its sync costs the disk a little; what is lost of it the API has, and drops. */
const keepMs = 1000;
/** As many as the events that are kept for the API. */
const mostMarks = 5000;

export const createEventMarks = <At>(
  events: Pick<EventBuffer, 'acknowledged' | 'last'>,
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
    await write(at, event);
    // One that was read meanwhile may have moved the mark on.
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
