import { mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import { readJson } from '#runtime/read-json.ts';
import { endAtOnce } from '../../power/bring-down.ts';
import { powerTiming } from '../../power/power-timing.ts';
import { openHolderWay } from '../../power/ways/holder-way.ts';
import type { FolderWorker } from '../folder/folder-worker.ts';
import { copyName } from './copy-paths.ts';
import { removeTree } from './copy-server.ts';
import { ModsRehearsalError } from './rehearsal-error.ts';

/** Written before there is a copy, so that the next agent finds what this one may leave behind. */
const rehearsalRecord = z.object({ copy: z.string() });

const rehearsalFolder = (stateFolder: string): string => join(stateFolder, 'rehearsal');
export const rehearsalPower = (stateFolder: string): string => join(rehearsalFolder(stateFolder), 'power');
const recordPath = (stateFolder: string): string => join(rehearsalFolder(stateFolder), 'rehearsal.json');

export const markRehearsal = async (stateFolder: string, copy: string): Promise<void> => {
  await mkdir(rehearsalFolder(stateFolder), { recursive: true, mode: 0o700 });
  await writeFileAtomically(recordPath(stateFolder), JSON.stringify({ copy }), 0o600);
  await syncFolder(rehearsalFolder(stateFolder));
};

/**
 * Ends a rehearsal in any state, including that of a killed agent: its game with all processes, then its folder. Runs before
 * anything is started, and after each rehearsal.
 * @throws {ModsRehearsalError} while its game cannot be ended
 */
export const endRehearsal = async (stateFolder: string, worker: FolderWorker): Promise<void> => {
  const text = await readFile(recordPath(stateFolder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new ModsRehearsalError(`The record ${recordPath(stateFolder)} cannot be read: ${error.code}.`);
  });
  if (text === null) return;
  await using way = await openHolderWay({
    powerFolder: rehearsalPower(stateFolder),
    server: { folder: rehearsalFolder(stateFolder) },
    start: { by: 'holder', command: ['none'], account: null },
    program: [],
  });
  await way.look();
  const fault = await endAtOnce(way, powerTiming, new AbortController().signal);
  if (fault !== null) throw new ModsRehearsalError(`A rehearsed server does not end: ${fault}`);
  const copy = readJson(rehearsalRecord, text)?.copy;
  // Nothing else is ever removed, whatever the record says.
  if (copy !== undefined && basename(copy) === copyName) await worker.run('removeCopy', { copy });
  await removeTree(rehearsalFolder(stateFolder));
};
