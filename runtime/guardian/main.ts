import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endWithin, isAlive, signalProcess } from '../live-process.ts';
import { stopFamily } from '../postgres/stop-family.ts';
import type { GuardianMessage, WatchedProcess } from './messages.ts';

/** Node processes see the end of their channel at once; whoever still lives after this is ended. */
const graceMs = 2000;
/** Postgres gets longer before its processes are ended; it recovers from that by its log. */
const postgresTimes = { fastMs: 3000, immediateMs: 500 };

const wards = new Map<string, WatchedProcess>();

const stopWard = async ({ pid, cluster }: WatchedProcess): Promise<void> => {
  if (!cluster) {
    if (!(await endWithin([pid], graceMs))) signalProcess(pid, 'SIGKILL');
    return;
  }
  await stopFamily(cluster, postgresTimes, pid).catch(() => undefined);
  // In its first moments, or where its processes cannot be listed, it is known by its number alone.
  if (isAlive(pid)) signalProcess(pid, 'SIGKILL');
};

/** Null for the half line that a supervisor leaves when it dies while it writes. */
const parseMessage = (line: string): GuardianMessage | null => {
  try {
    return JSON.parse(line) as GuardianMessage;
  } catch {
    // What was told before still counts.
    return null;
  }
};

// Only the end of the pipe counts: a signal to the group must not take the guardian along.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const message = parseMessage(line);
  if (message === null) return;
  if (message.type === 'watch') wards.set(message.ward.name, message.ward);
  else if (message.type === 'forget') wards.delete(message.name);
  else process.exit(0);
});
await once(lines, 'close');
await Promise.all([...wards.values()].map(stopWard));
process.exit(0);
