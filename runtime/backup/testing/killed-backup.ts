import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { makeBackup } from '../../postgres/backup.ts';
import { checksumsName } from '../../postgres/backup-checksums.ts';

/** Makes a backup with the content of another one, and kills itself before the list of checksums is written, like a power cut. */
const [connectionString = '', dataFolder = '', folder = '', content = ''] = process.argv.slice(2);

const client = new pg.Client({ connectionString });
await client.connect();
await makeBackup(client, dataFolder, folder, async (half) => {
  await cp(content, half, { recursive: true });
  await rm(join(half, checksumsName));
  process.kill(process.pid, 'SIGKILL');
});
