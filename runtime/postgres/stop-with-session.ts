import { closeSync, existsSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { lockFilePath } from './family.ts';

/** SIGINT, by its number: a fast shutdown. */
const fastShutdown = 2;
const betweenLooksMs = 50;

/**
 * Stops Postgres without letting go of the thread, and without pg_ctl: while a session of Windows ends, no program can
 * be started any more, and whoever returns from being told of the end may be ended at once.
 * @param deadlineMs how long to wait for the postmaster
 * @returns whether it is gone in order
 */
export const stopWithSession = (dataFolder: string, deadlineMs: number): boolean => {
  const lock = lockFilePath(dataFolder);
  if (!existsSync(lock)) return true;
  const [pid = ''] = readFileSync(lock, 'utf8').split('\n');
  try {
    signalThroughPipe(pid.trim());
  } catch {
    // Nobody listens: it was killed, or its end is under way.
  }
  const until = performance.now() + deadlineMs;
  while (existsSync(lock)) {
    if (performance.now() > until) return false;
    pause(betweenLooksMs);
  }
  return true;
};

/** Each postmaster on Windows has a pipe for what elsewhere would be signals. It hears nothing else until its answer is read. */
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
