import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { GuardianMessage, Ward } from './messages.ts';

/** Node processes see the end of their channel at once; whoever still lives after this is ended. */
const graceMs = 2000;
/** Postgres gets longer before its postmaster is ended; it recovers from that by its log. */
const stopCommandMs = 3500;
const pollMs = 50;

const wards = new Map<string, Ward>();

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const end = (ward: Ward) => {
  try {
    process.kill(ward.pid, 'SIGKILL');
  } catch {
    // It ended by itself between the two looks.
    return;
  }
};

const stopWard = async (ward: Ward): Promise<void> => {
  const deadline = Date.now() + (ward.stop ? stopCommandMs : graceMs);
  if (ward.stop && isAlive(ward.pid)) {
    const { file, args, account } = ward.stop;
    const identity = account ? { uid: account.uid, gid: account.gid } : {};
    spawn(file, args, { stdio: 'ignore', cwd: resolve('/'), windowsHide: true, ...identity }).on(
      'error',
      () => end(ward),
    );
  }
  while (isAlive(ward.pid) && Date.now() < deadline) await delay(pollMs);
  if (isAlive(ward.pid)) end(ward);
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
