import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { bundlePrograms, programsFolder } from '../../build/bundle.ts';
import type { TemporaryFolder } from './temporary-folder.ts';

/** In the checkout, so that the programs find the platform's Postgres. */
const cache = resolve(import.meta.dirname, '../../.cache');

/** A copy of the current programs: a later build would replace the panel's files while an API serves them. */
export const copyOfPrograms = async (): Promise<TemporaryFolder> => {
  await bundlePrograms();
  await mkdir(cache, { recursive: true });
  const path = await mkdtemp(join(cache, 'programs-'));
  await cp(programsFolder, path, {
    recursive: true,
    // Also without the agent's executables, which are large: a test of their download adds its own.
    filter: (source) =>
      !source.includes('.half-') && !source.endsWith('.old') && source !== join(programsFolder, 'agents'),
  });
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
};
