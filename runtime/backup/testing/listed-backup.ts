import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backupsFolder } from '../../postgres/backup.ts';
import { manifestText } from '../backup-manifest.ts';

/**
 * Writes enough of a backup into a data folder to be listed.
 * @returns its name
 */
export const writeListedBackup = async (home: string): Promise<string> => {
  const name = '2026-01-02-manual';
  const folder = join(backupsFolder(home), name);
  await mkdir(folder, { recursive: true });
  const manifest = manifestText({
    ...{
      owner: 'castellan',
      kind: 'manual',
      takenAt: '2026-01-02T03:04:05.000Z',
      reason: 'castellan backup',
    },
    cause: { kind: 'command', command: 'castellan backup' },
    ...{ version: '0.0.9', postgres: '18.4', system: 'linux-x64', database: 'castellan' },
    ...{ files: ['.env'], bytes: 48_000_000, proof: { migrations: [], rows: {} } },
  });
  // As by an early version, which wrote no checksums.
  const text = JSON.stringify({ ...JSON.parse(manifest), checksums: undefined });
  await writeFile(join(folder, 'backup.json'), text);
  return name;
};
