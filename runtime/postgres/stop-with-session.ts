import { closeSync, existsSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { lockFilePath } from './family.ts';

/** SIGINT, by its number: a fast shutdown. */
const fastShutdown = 2;
const betweenLooksMs = 50;

/**
 * Stops Postgres without yielding the thread, and without pg_ctl: while a Windows session ends, no program can be started any
 * more, and a process that returns from the end-of-session message may be killed immediately.
 * @param deadlineMs how long to wait for the postmaster
 * @returns whether it has stopped in order
 */
export const stopWithSession = (dataFolder: string, deadlineMs: number): boolean => {
  const lock = lockFilePath(dataFolder);
  if (!existsSync(lock)) return true;
  const [pid = ''] = readFileSync(lock, 'utf8').split('\n');
  try {
    signalThroughPipe(pid.trim());
  } catch {
    // No postmaster listens: it was killed, or is already stopping.
  }
  const until = performance.now() + deadlineMs;
  while (existsSync(lock)) {
    if (performance.now() > until) return false;
    pause(betweenLooksMs);
  }
  return true;
};

/** On Windows each postmaster has a pipe in place of signals. It reads nothing else until its answer is read. */
const signalThroughPipe = (pid: string) => {
  const pipe = openSync(`\\\\.\\pipe\\pgsignal_${pid}`, 'r+');
  try {
    writeSync(pipe, Uint8Array.of(fastShutdown));
    readSync(pipe, new Uint8Array(1));
  } finally {
    closeSync(pipe);
  }
};

const pause = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
