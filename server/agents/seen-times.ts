import type { Log } from '#runtime/log.ts';
import type { AgentPins } from './agent-pins.ts';
import type { AgentSession } from './agent-session.ts';

/** Rows per statement: a few milliseconds. */
const batchSize = 500;

/** Writes when agents were last seen. What the database does not take is written the next time. */
export const writeSeenTimes = async (
  sessions: Iterable<AgentSession>,
  pins: AgentPins,
  log: Log,
): Promise<void> => {
  const dirty = [...sessions].filter(({ isDirty, pin, seenAtMs }) => isDirty && pin && seenAtMs !== null);
  for (let begin = 0; begin < dirty.length; begin += batchSize) {
    const batch = dirty.slice(begin, begin + batchSize);
    for (const session of batch) session.isDirty = false;
    try {
      await pins.rememberSeen(batch);
    } catch (error) {
      for (const session of batch) session.isDirty = true;
      log.warn({ err: error }, 'could not store when Game Agents were last seen yet');
      return;
    }
  }
};
