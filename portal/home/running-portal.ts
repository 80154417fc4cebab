import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '#runtime/atomic-write.ts';

/** What a running portal tells the commands that are run beside it. */
const runningPortal = z.object({
  port: z.int(),
  pid: z.int(),
  /** Null when the database is not the portal's own. */
  postgresPort: z.int().nullable(),
});
export type RunningPortal = z.infer<typeof runningPortal>;

const fileOf = (home: string): string => join(home, 'portal.json');

export const announcePortal = async (home: string, running: RunningPortal): Promise<AsyncDisposable> => {
  await writeFileAtomically(fileOf(home), `${JSON.stringify(running)}\n`, 0o600);
  return {
    async [Symbol.asyncDispose]() {
      // Portals that share an external database may share a home, too.
      if ((await readAnnouncement(home))?.pid === running.pid) await rm(fileOf(home), { force: true });
    },
  };
};

/**
 * What a portal in this home has announced; null when there is no such word, or none that can be read. It may be that
 * of a portal that was killed: only the holder of the home's lock says who runs.
 */
export const readAnnouncement = async (home: string): Promise<RunningPortal | null> => {
  try {
    return runningPortal.parse(JSON.parse(await readFile(fileOf(home), 'utf8')));
  } catch {
    return null;
  }
};
