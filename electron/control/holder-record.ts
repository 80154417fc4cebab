import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '#runtime/atomic-write.ts';

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

export const writeHolderRecord = (home: string, record: HolderRecord): Promise<void> =>
  writeFileAtomically(recordPath(home), `${JSON.stringify(record, null, 2)}\n`, 0o600);

/** Null when there is none, or none that we may read. */
export const readHolderRecord = async (home: string): Promise<HolderRecord | null> => {
  try {
    return holderRecord.parse(JSON.parse(await readFile(recordPath(home), 'utf8')));
  } catch {
    // Absent, another account's, or damaged: in each case we know nothing about the holder.
    return null;
  }
};

export const removeHolderRecord = (home: string): Promise<void> => rm(recordPath(home), { force: true });
