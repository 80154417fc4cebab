import type { Log } from '#runtime/log.ts';
import type { AgentPins } from './agent-pins.ts';
import type { Seat } from './seats.ts';

/** Rows of one statement: a few milliseconds. */
const batchSize = 500;

/** Writes down when agents were last seen. What the database does not take is written the next time. */
export const writeSeenTimes = async (seats: Iterable<Seat>, pins: AgentPins, log: Log): Promise<void> => {
  const dirty = [...seats].filter(({ isDirty, pin, seenAtMs }) => isDirty && pin && seenAtMs !== null);
  for (let begin = 0; begin < dirty.length; begin += batchSize) {
    const batch = dirty.slice(begin, begin + batchSize);
    for (const seat of batch) seat.isDirty = false;
    try {
      await pins.rememberSeen(batch);
    } catch (error) {
      for (const seat of batch) seat.isDirty = true;
      log.warn({ err: error }, 'when agents were last seen is not written down yet');
      return;
    }
  }
};
