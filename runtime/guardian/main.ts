import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endWithin, isAlive, signalProcess } from '../live-process.ts';
import { stopFamily } from '../postgres/stop-family.ts';
import { type FreezeWatch, watchForFreeze } from './freeze-watch.ts';
import type { GuardianMessage, WatchedProcess } from './messages.ts';

/** Node processes notice the end of their channel immediately; any that still live after this are killed. */
const graceMs = 2000;
/** Postgres gets longer before its processes are killed; it then recovers from its log. */
const postgresTimes = { fastMs: 3000, immediateMs: 500 };

const wards = new Map<string, WatchedProcess>();

const stopWard = async ({ pid, cluster }: WatchedProcess): Promise<void> => {
  if (!cluster) {
    if (!(await endWithin([pid], graceMs))) signalProcess(pid, 'SIGKILL');
    return;
  }
  await stopFamily(cluster, postgresTimes, pid).catch(() => undefined);
  // In its first moments, or where its processes cannot be listed, only its process id is known.
  if (isAlive(pid)) signalProcess(pid, 'SIGKILL');
};

/** Null for the half line left by a supervisor that dies while writing. */
const parseMessage = (line: string): GuardianMessage | null => {
  try {
    return JSON.parse(line) as GuardianMessage;
  } catch {
    // Earlier messages still count.
    return null;
  }
};

// Only the end of the pipe counts: a signal to the group must not end the guardian too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

/** Where a freeze of the supervisor is noted, if at all, and how long a tick is. */
const [notePath, tickMs] = process.argv.slice(2);
const freeze: FreezeWatch | null =
  notePath === undefined ? null : watchForFreeze({ pid: process.ppid, notePath, tickMs: Number(tickMs) });
const end = async () => {
  await freeze?.end();
  process.exit(0);
};

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const message = parseMessage(line);
  if (message === null) return;
  freeze?.heard();
  if (message.type === 'watch') wards.set(message.ward.name, message.ward);
  else if (message.type === 'forget') wards.delete(message.name);
  else if (message.type === 'end') void end();
});
await once(lines, 'close');
await Promise.all([...wards.values()].map(stopWard));
await end();
