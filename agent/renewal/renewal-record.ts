import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ifAbsent } from '#runtime/absent-file.ts';
import { type JsonRecordStore, jsonRecordStore } from '#runtime/json-record.ts';

const failedRenewal = z.object({
  version: z.string(),
  /** Failed tries of this version in a row. */
  tries: z.int().positive(),
  /** Unix time in milliseconds. */
  atMs: z.number(),
  /** For people. */
  detail: z.string(),
  /** Whether it got as far as a trial. */
  wasTried: z.boolean().default(true),
});
export type FailedRenewal = z.infer<typeof failedRenewal>;

const renewalRecord = z.object({ failed: failedRenewal.nullable().default(null) });
export type RenewalRecord = JsonRecordStore<z.infer<typeof renewalRecord>>;

/** An installed agent's record of its updates, in `<program folder>/renewal.json`. */
export const openRenewalRecord = async (programFolder: string): Promise<RenewalRecord> => {
  const path = join(programFolder, 'renewal.json');
  const text = await readFile(path, 'utf8').catch(ifAbsent(''));
  return jsonRecordStore(path, renewalRecord, text);
};
