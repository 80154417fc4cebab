import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClientBase } from 'pg';

/** Names a folder with a stopped cluster that the run's set-up initialized. */
export const initializedClusterVariable = 'CASTELLAN_TEST_CLUSTER';

/** Each is three hundred files, which every copy and every backup of a test's cluster would copy, hash and read. */
export const dropTemplate = async (client: ClientBase, name: 'template0' | 'template1'): Promise<void> => {
  await client.query('update pg_database set datistemplate = false where datname = $1', [name]);
  await client.query(`drop database if exists ${name}`);
};

/**
 * Gives a folder the files of a new cluster, without template0, before the product would run initdb there, which takes ten times
 * as long. The owner of the files stays. Outside a run of the tests, and where a cluster is already, it does nothing.
 */
export const initializeCluster = async (folder: string): Promise<void> => {
  const template = process.env[initializedClusterVariable];
  if (template === undefined || existsSync(join(folder, 'data'))) return;
  await mkdir(folder, { recursive: true, mode: 0o711 });
  await promisify(execFile)('cp', ['-a', `${template}/.`, folder]);
};
