import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Names a folder with a cluster that the run's set-up initialized and never started. */
export const initializedClusterVariable = 'CASTELLAN_TEST_CLUSTER';

/**
 * Gives a folder the files of a new cluster before the product would run initdb there, which takes ten times as long. The owner of the
 * files stays. Outside a run of the tests, and where a cluster is already, it does nothing.
 */
export const initializeCluster = async (folder: string): Promise<void> => {
  const template = process.env[initializedClusterVariable];
  if (template === undefined || existsSync(join(folder, 'data'))) return;
  await mkdir(folder, { recursive: true, mode: 0o711 });
  await promisify(execFile)('cp', ['-a', `${template}/.`, folder]);
};
