import { join } from 'node:path';
import * as z from 'zod';
import { backupFault } from '#contracts/operations/backups.ts';
import { writeFileAtomically } from '../atomic-write.ts';
import { backupsFolder } from '../postgres/backup.ts';
import { findBackupFault } from '../postgres/backup-checksums.ts';
import { readJsonFile } from '../read-json.ts';
import { listBackups } from './backup-manifest.ts';

const checksFile = (home: string): string => join(backupsFolder(home), 'checks.json');

/** By name of the backup, when it was last read and compared with its checksums, and how it differed. */
const backupChecks = z.record(z.string(), z.object({ at: z.iso.datetime(), fault: backupFault.nullable() }));
export type BackupChecks = z.output<typeof backupChecks>;

export const readBackupChecks = async (home: string): Promise<BackupChecks> =>
  // None yet, or a file that only a person can have damaged: the next check rewrites it.
  (await readJsonFile(backupChecks, checksFile(home))) ?? {};

/**
 * A task of a disk worker: reads each backup in the data folder's own folder and compares it with its checksums, one after another. Those without
 * checksums are left out.
 * @returns the results, which are also stored
 */
export const checkBackups = async (home: string): Promise<BackupChecks> => {
  const folder = backupsFolder(home);
  const checks: BackupChecks = {};
  for (const { name, isListed } of await listBackups(folder)) {
    if (!isListed) continue;
    const fault = await findBackupFault(join(folder, name), { extent: 'all', isListed });
    checks[name] = { at: new Date().toISOString(), fault };
  }
  await writeFileAtomically(checksFile(home), `${JSON.stringify(checks)}\n`, 0o600);
  return checks;
};
