import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { isDiskFull, untilRoom, whenThereIsRoom } from '#runtime/disk-space.ts';
import { readJsonFile } from '#runtime/read-json.ts';

/** Who holds a data folder; the token authorizes calls on its control channel. */
const holderRecord = z.object({
  pid: z.int(),
  startedAt: z.iso.datetime(),
  heldBy: z.string(),
  /** Containers on one folder have different ones. Records of earlier versions have none. */
  host: z.string().optional(),
  token: z.string(),
});
export type HolderRecord = z.infer<typeof holderRecord>;

const recordPath = (home: string): string => join(home, 'supervisor.json');

/**
 * Writes who holds the data folder; disposing removes it. A full disk keeps no one from starting: it is written as soon as
 * there is room, and until then callers cannot be answered.
 */
export const publishHolderRecord = async (home: string, record: HolderRecord): Promise<AsyncDisposable> => {
  const path = recordPath(home);
  const write = () => writeFileAtomically(path, `${JSON.stringify(record, null, 2)}\n`, 0o600);
  const over = new AbortController();
  const removeAfter = (writing: Promise<unknown>): AsyncDisposable => ({
    async [Symbol.asyncDispose]() {
      over.abort();
      await writing;
      await rm(path, { force: true });
    },
  });
  try {
    await write();
    return removeAfter(Promise.resolve());
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    // It names a holder that is dead.
    await rm(path, { force: true });
    const waiting = untilRoom(home, over.signal).then(() =>
      whenThereIsRoom(home, write, { signal: over.signal }),
    );
    return removeAfter(waiting.catch(() => undefined));
  }
};

/** Null when there is none, or none that we may read. */
export const readHolderRecord = (home: string): Promise<HolderRecord | null> =>
  // Absent, another account's, or damaged: in each case we know nothing about the holder.
  readJsonFile(holderRecord, recordPath(home));
