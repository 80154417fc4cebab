import { createHash, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isAbsent } from '../../absent-file.ts';
import { isBusy, whenNotBusy } from '../../busy-file.ts';

/** Long for a lock that is held for one small write: its holder hangs, or another process has its pid now. */
const heldTooLongMs = 10_000;
const waitLimitMs = 25_000;

/** A missing file is fine; a busy one, as on Windows under a virus scanner, is waited for. */
const patiently = { force: true, recursive: true, maxRetries: 5, retryDelay: 20 };

interface Holder {
  readonly pid: number;
  readonly nonce: string;
  /** When that process started, where the system reports it: another one may have its pid now. */
  readonly began?: string;
}

/** No process has this pid. */
const noPid = 2 ** 31 - 1;

export interface HeldLock extends AsyncDisposable {
  /** @throws when the lock was taken from us because we held it too long */
  assertHeld(): void;
}

/**
 * A lock between processes: a file that names its holder. The file appears complete (hard link). A lock left by a dead process is
 * broken under a second lock, so that of several processes that notice only one removes it, and never a newer one.
 * @throws when the lock is not free in time, or its folder is not writable
 */
export const lockFile = async (path: string): Promise<HeldLock> => {
  const began = beginningOf(process.pid);
  const mine: Holder = { pid: process.pid, nonce: randomUUID(), ...(began && { began }) };
  const startedMs = performance.now();
  let seen = { nonce: '', sinceMs: startedMs };
  while (!take(path, mine)) {
    const holder = readHolder(path);
    const nowMs = performance.now();
    if (nowMs - startedMs > waitLimitMs)
      throw new Error(holder ? `${path} is held by process ${holder.pid}` : `${path} cannot be made`);
    if (holder !== null) {
      if (holder.nonce !== seen.nonce) seen = { nonce: holder.nonce, sinceMs: nowMs };
      if (isDead(holder) || nowMs - seen.sinceMs > heldTooLongMs) await breakLock(path, holder);
    }
    await delay(1 + Math.random() * 9);
  }
  const isMine = () => readHolder(path)?.nonce === mine.nonce;
  return {
    assertHeld() {
      if (!isMine()) throw new Error(`${path} was taken from us`);
    },
    async [Symbol.asyncDispose]() {
      // Meanwhile it may have been taken from us, and the file is another one's.
      await whenNotBusy(async () => isMine() && unlinkSync(path));
    },
  };
};

const preparedBy = (pid: number, path: string): string => `${path}.${pid}`;

/** No pause between the steps, so that a kill hardly ever leaves the temporary file. */
const take = (path: string, mine: Holder): boolean => {
  const prepared = preparedBy(mine.pid, path);
  try {
    // One that could not be removed is another name of an earlier lock: written over, it would change that.
    rmSync(prepared, { force: true });
    writeFileSync(prepared, JSON.stringify(mine), { mode: 0o600, flag: 'wx' });
    linkSync(prepared, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || isBusy(error)) return false;
    throw error;
  } finally {
    removeIfFree(prepared);
  }
};

/** What a scanner still holds costs nothing: the next lock of this process removes it. */
const removeIfFree = (path: string): void => {
  try {
    rmSync(path, patiently);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
};

/** Null when no process holds it. */
const readHolder = (path: string): Holder | null => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isAbsent(error) || isBusy(error)) return null;
    throw error;
  }
  const [, pid, nonce, began] =
    /^\{"pid":(\d+),"nonce":"([0-9a-f-]{36})"(?:,"began":"([0-9a-f-]+ \d+)")?\}$/.exec(text) ?? [];
  if (pid !== undefined && nonce !== undefined) return { pid: Number(pid), nonce, ...(began && { began }) };
  // A power cut leaves an empty file. Any other content was not written by us, so only its age shows whether it is held.
  const isEmpty = /^\0*$/.test(text);
  return { pid: isEmpty ? noPid : process.pid, nonce: createHash('sha256').update(text).digest('hex') };
};

/** Boot and start time of a process; null where the system does not report them. */
const beginningOf = (pid: number): string | null => {
  if (process.platform !== 'linux') return null;
  try {
    // The name in brackets may hold anything; the state follows it, and 19 fields later the start.
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    if (state === 'Z') return 'ended';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${fields[18]}`;
  } catch {
    // It has just ended, or belongs to an account that /proc hides from us.
    return null;
  }
};

const isDead = ({ pid, began }: Holder): boolean => {
  if (!isAlive(pid)) return true;
  const now = began === undefined ? null : beginningOf(pid);
  return now !== null && now !== began;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const breakLock = async (path: string, dead: Holder): Promise<void> => {
  await using _right = await lockFile(`${path}.${dead.nonce}`);
  await whenNotBusy(async () => readHolder(path)?.nonce === dead.nonce && unlinkSync(path));
  // Its temporary file, if it was killed at that point.
  if (isDead(dead)) removeIfFree(preparedBy(dead.pid, path));
};
