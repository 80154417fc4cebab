import { createHash, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isBusy, whenNotBusy } from '../../busy-file.ts';

/** Long for a lock that is held for one small write: its holder hangs, or its pid is somebody else's by now. */
const heldTooLongMs = 10_000;
const waitLimitMs = 25_000;

/** Absent is fine; busy, as on Windows under a virus scanner, is waited for. */
const patiently = { force: true, recursive: true, maxRetries: 5, retryDelay: 20 };

interface Holder {
  readonly pid: number;
  readonly nonce: string;
}

export interface HeldLock extends AsyncDisposable {
  /** @throws when the lock was taken from us, because we held it too long */
  assertHeld(): void;
}

/**
 * A lock between processes: a file that says who holds it. It appears whole (hard link), and one that a dead process
 * left is broken under a lock of its own, so that of several who notice only one removes it, and never a newer one.
 * @throws when it cannot be had in time, or its folder cannot be written
 */
export const lockFile = async (path: string): Promise<HeldLock> => {
  const mine: Holder = { pid: process.pid, nonce: randomUUID() };
  const startedMs = performance.now();
  let seen = { nonce: '', sinceMs: startedMs };
  while (!take(path, mine)) {
    const holder = readHolder(path);
    const nowMs = performance.now();
    if (nowMs - startedMs > waitLimitMs)
      throw new Error(holder ? `${path} is held by process ${holder.pid}` : `${path} cannot be made`);
    if (holder !== null) {
      if (holder.nonce !== seen.nonce) seen = { nonce: holder.nonce, sinceMs: nowMs };
      if (!isAlive(holder.pid) || nowMs - seen.sinceMs > heldTooLongMs) await breakLock(path, holder);
    }
    await delay(1 + Math.random() * 9);
  }
  const isMine = () => readHolder(path)?.nonce === mine.nonce;
  return {
    assertHeld() {
      if (!isMine()) throw new Error(`${path} was taken from us`);
    },
    async [Symbol.asyncDispose]() {
      if (isMine()) await whenNotBusy(async () => unlinkSync(path));
    },
  };
};

const preparedBy = (pid: number, path: string): string => `${path}.${pid}`;

/** Without a pause between the steps, so that a kill hardly ever leaves the file they begin with. */
const take = (path: string, mine: Holder): boolean => {
  const prepared = preparedBy(mine.pid, path);
  try {
    writeFileSync(prepared, JSON.stringify(mine), { mode: 0o600 });
    linkSync(prepared, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || isBusy(error)) return false;
    throw error;
  } finally {
    rmSync(prepared, patiently);
  }
};

/** Null when nobody holds it. */
const readHolder = (path: string): Holder | null => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || isBusy(error)) return null;
    throw error;
  }
  const [, pid, nonce] = /^\{"pid":(\d+),"nonce":"([0-9a-f-]{36})"\}$/.exec(text) ?? [];
  if (pid !== undefined && nonce !== undefined) return { pid: Number(pid), nonce };
  // Not written by us; nobody to ask, so only time tells.
  return { pid: process.pid, nonce: createHash('sha256').update(text).digest('hex') };
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
  if (readHolder(path)?.nonce === dead.nonce) await whenNotBusy(async () => unlinkSync(path));
  // What it began with, if it was killed right there.
  if (!isAlive(dead.pid)) rmSync(preparedBy(dead.pid, path), patiently);
};
