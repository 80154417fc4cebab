import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { whenNotBusy } from '#runtime/busy-file.ts';
import { type JsonRecordStore, jsonRecordStore } from '#runtime/json-record.ts';

/** An installation that was begun; kept until the version it leads to has shown that it runs. */
const pendingInstallation = z.object({
  kind: z.enum(['update', 'way-back']),
  from: z.string(),
  to: z.string(),
  begunAt: z.iso.datetime(),
  /** The backup of the database taken right before; null when the database did not run, or belongs to another account. */
  backup: z.string().nullable(),
  /** Components of the stack that answered before: what was already down is not held against the new version. */
  answered: z.array(z.string()),
  /** Starts of the new version that did not end in order; on the way back, those that led to it. */
  starts: z.int().nonnegative(),
  /** Why it was not carried out, as far as that is known. */
  failure: z.string().nullable(),
});
export type PendingInstallation = z.infer<typeof pendingInstallation>;

/** The result of the last one. */
const outcome = z.object({
  kind: z.enum(['updated', 'went-back', 'not-installed']),
  from: z.string(),
  to: z.string(),
  backup: z.string().nullable(),
  detail: z.string().nullable(),
});
export type UpdateOutcome = z.infer<typeof outcome>;

/** What is known about updates on this machine, per user. A damaged value counts as absent. */
const updateRecord = z.object({
  mode: z.enum(['off', 'ask']).catch('ask'),
  /** A version that the user has skipped. */
  skipped: z.string().nullable().catch(null),
  /** A version that did not run here and was replaced again. */
  unhealthy: z.string().nullable().catch(null),
  /** A version that was already announced. */
  told: z.string().nullable().catch(null),
  lastCheckedAt: z.iso.datetime().nullable().catch(null),
  /** The versions that ran here and open a data folder of any letters. */
  readsAnyLetter: z.array(z.string()).catch([]),
  newestSeen: z.object({ version: z.string(), releasedAt: z.iso.datetime() }).nullable().catch(null),
  pending: pendingInstallation.nullable().catch(null),
  outcome: outcome.nullable().catch(null),
});
export type UpdateRecord = z.infer<typeof updateRecord>;

export type UpdateRecordStore = JsonRecordStore<UpdateRecord>;

/**
 * A file that cannot be read counts as an empty one, and a folder that cannot be created fails the first change: trouble with
 * updates never keeps the program from working.
 * @param folder is created
 */
export const openUpdateRecord = async (folder: string): Promise<UpdateRecordStore> => {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const path = join(folder, 'updates.json');
  const text = await whenNotBusy(() => readFile(path, 'utf8')).catch(() => '{}');
  return jsonRecordStore(path, updateRecord, text);
};
