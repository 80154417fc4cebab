import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { readJsonFile } from '#runtime/read-json.ts';

/** What a running portal tells commands on the same data folder. */
const runningPortal = z.object({
  port: z.int(),
  pid: z.int(),
  /** Null if the database is not the portal's own. */
  postgresPort: z.int().nullable(),
});
type RunningPortal = z.infer<typeof runningPortal>;

const fileOf = (home: string): string => join(home, 'portal.json');

export const announcePortal = async (home: string, running: RunningPortal): Promise<AsyncDisposable> => {
  await writeFileAtomically(fileOf(home), `${JSON.stringify(running)}\n`, 0o600);
  return {
    async [Symbol.asyncDispose]() {
      // Portals that share an external database may share a data folder, too.
      if ((await readAnnouncement(home))?.pid === running.pid) await rm(fileOf(home), { force: true });
    },
  };
};

/**
 * The announcement of a portal with this data folder; null if there is none, or none that can be read. It may be from a
 * portal that was killed: only the holder of the lock says who is running.
 */
export const readAnnouncement = (home: string): Promise<RunningPortal | null> =>
  readJsonFile(runningPortal, fileOf(home));
