import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeWholeFile } from '#runtime/whole-file.ts';

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
  await writeWholeFile(fileOf(home), `${JSON.stringify(running)}\n`, 0o600);
  return {
    async [Symbol.asyncDispose]() {
      // Portals that share an external database may share a home, too.
      if ((await findRunningPortal(home))?.pid === running.pid) await rm(fileOf(home), { force: true });
    },
  };
};

/** The portal that runs in this home; null when none does, or when it was killed. */
export const findRunningPortal = async (home: string): Promise<RunningPortal | null> => {
  if (!existsSync(fileOf(home))) return null;
  const text = await readFile(fileOf(home), 'utf8').catch(() => 'null');
  const parsed = runningPortal.safeParse(JSON.parse(text));
  return parsed.success && isAlive(parsed.data.pid) ? parsed.data : null;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
