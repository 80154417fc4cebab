import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { ComponentName } from '#contracts/operations/stack.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { logsFolder } from '#runtime/home.ts';
import { readJsonFile } from '#runtime/read-json.ts';
import { createRedactor } from '#runtime/redact.ts';
import { MovedHomeError } from '../data-folder/move-marks.ts';
import { HomeHeldError } from './held-home.ts';

/** Why the last start in a data folder was refused. No process is left then that could say it. */
const startRefusal = z.object({
  refusedAt: z.iso.datetime(),
  /** The program that would have run the stack, in words. */
  heldBy: z.string(),
  reason: z.string(),
});
type StartRefusal = z.infer<typeof startRefusal>;

/** A service whose account may not write to the data folder itself, only to its logs. */
type FrugalService = Exclude<ComponentName, 'api'>;

const refusalPath = (home: string, service?: FrugalService): string =>
  service === undefined
    ? join(home, 'start-refusal.json')
    : join(logsFolder(home), `start-refusal-${service}.json`);

/** Null when the last start was not refused, or by nothing that we may read. */
export const readStartRefusal = (home: string, service?: FrugalService): Promise<StartRefusal | null> =>
  readJsonFile(startRefusal, refusalPath(home, service));

/**
 * Opens what a start needs. A failure is kept for `castellan status` and the desktop until a start succeeds, unless the data
 * folder is another program's, or another folder.
 * @param service whose start it is; absent: the start of the stack, or of the API's service
 */
export const keepingRefusal = async <T>(
  home: string,
  heldBy: string,
  open: () => Promise<T>,
  service?: FrugalService,
): Promise<T> => {
  const path = refusalPath(home, service);
  try {
    const opened = await open();
    await rm(path, { force: true });
    return opened;
  } catch (error) {
    if (error instanceof HomeHeldError || error instanceof MovedHomeError) throw error;
    const { message } = error as Error;
    const refusal = { refusedAt: new Date().toISOString(), heldBy, reason: createRedactor()(message) };
    // A full or read-only disk refuses this, too; the error itself matters more.
    await writeFileAtomically(path, `${JSON.stringify(refusal, null, 2)}\n`, 0o600).catch(() => undefined);
    throw error;
  }
};
