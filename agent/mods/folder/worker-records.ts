import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifAbsent } from '#runtime/absent-file.ts';
import { endWithin, signalProcess } from '#runtime/live-process.ts';
import { readJson } from '#runtime/read-json.ts';
import {
  bootId,
  identifyNow,
  type ProcessIdentity,
  processIdentity,
} from '../../power/process/process-identity.ts';
import { modsStateFolder } from '../manifest.ts';
import { FolderWorkerError } from './worker-errors.ts';

const recordsFolder = (stateFolder: string): string => join(modsStateFolder(stateFolder), 'workers');
const recordPath = (stateFolder: string, pid: number) => join(recordsFolder(stateFolder), `${pid}.json`);

/** Written before the worker gets any work, so that an agent that follows a killed one finds it. */
export const recordWorker = async (stateFolder: string, pid: number): Promise<void> => {
  const identity = identifyNow(pid);
  if (identity === null) throw new FolderWorkerError("The work in the server's folder ended at once.");
  await mkdir(recordsFolder(stateFolder), { recursive: true, mode: 0o700 });
  await writeFile(recordPath(stateFolder, pid), JSON.stringify(identity), { mode: 0o600 });
};

/** For a worker that has ended: a leftover record does no harm. */
export const forgetWorker = (stateFolder: string, pid: number): Promise<void> =>
  rm(recordPath(stateFolder, pid), { force: true }).catch(() => undefined);

/** On a disk that hangs, a process ends only when the disk answers. */
const endMs = 30_000;

/**
 * Ends workers that a killed agent left running: renames of two processes must not meet.
 * @throws {FolderWorkerError}
 */
export const endEarlierWorkers = async (stateFolder: string): Promise<void> => {
  const folder = recordsFolder(stateFolder);
  const names = await readdir(folder).catch(ifAbsent([]));
  for (const name of names) {
    const path = join(folder, name);
    // A truncated record belongs to a worker that got no work.
    const worker = readJson(processIdentity, await readFile(path, 'utf8'));
    if (worker !== null && isAtWork(worker)) {
      signalProcess(worker.pid, 'SIGKILL');
      if (!(await endWithin([worker.pid], endMs)) && isAtWork(worker))
        throw new FolderWorkerError(
          `The process ${worker.pid}, of an earlier agent, still works in the server's folder.`,
        );
    }
    await rm(path, { force: true });
  }
};

const isAtWork = ({ pid, started, boot }: ProcessIdentity): boolean =>
  boot === bootId() && identifyNow(pid)?.started === started;
