import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** A folder that other accounts can traverse (under root, Postgres runs as another account); deleted when disposed. */
export const temporaryFolder = async (name = 'test'): Promise<TemporaryFolder> => {
  const path = await mkdtemp(join(tmpdir(), `castellan-${name}-`));
  await chmod(path, 0o711);
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  };
};
