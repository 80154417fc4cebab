import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk in memory for one test; it is unmounted when disposed. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Leaves no byte free. */
  fill(): Promise<void>;
  /** Deletes what `fill` has written. */
  clear(): Promise<void>;
}

const chunk = Buffer.alloc(64 * 1024, 1);

/** @returns null if this account may not mount; Linux only */
export const smallDisk = (megabytes: number): SmallDisk | null => {
  const path = mkdtempSync(join(tmpdir(), 'castellan-disk-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    remove();
    return null;
  }
  chmodSync(path, 0o711);
  const filler = join(path, 'filler');
  return {
    path,
    async fill() {
      await using file = await open(filler, 'a');
      try {
        for (;;) await file.write(chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    clear: () => rm(filler, { force: true }),
    [Symbol.dispose]() {
      execFileSync('umount', ['--lazy', path], { stdio: 'ignore' });
      remove();
    },
  };
};

/** Whether `smallDisk` works here; otherwise the tests that need a full disk are skipped. */
export const canMount = (): boolean => {
  using disk = process.platform === 'linux' ? smallDisk(1) : null;
  return disk !== null;
};
