import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { bundlePrograms, programsFolder } from '../../build/bundle.ts';
import { sharedProgramsVariable } from './built-program.ts';
import type { TemporaryFolder } from './temporary-folder.ts';

/** In the checkout, so that the programs find the platform's Postgres. */
const cache = resolve(import.meta.dirname, '../../.cache');

/** A copy of the current programs, which the caller may change: a later build would replace the panel's files while an API serves them. */
export const copyOfPrograms = async (): Promise<TemporaryFolder> => {
  const shared = process.env[sharedProgramsVariable];
  if (shared === undefined) await bundlePrograms((line) => process.stderr.write(`${line}\n`));
  const source = shared ?? programsFolder;
  await mkdir(cache, { recursive: true });
  const path = await mkdtemp(join(cache, 'programs-'));
  // Games run as other accounts, and their holders with them.
  await chmod(path, 0o755);
  await cp(source, path, {
    recursive: true,
    // Also without the agent's executables, which are large: a test of their download adds its own.
    filter: (one) => !one.includes('.half-') && !one.endsWith('.old') && one !== join(source, 'agents'),
  });
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
};

/** The run's copy of the current programs, which no test changes; outside a run a copy for the caller. */
export const currentPrograms = async (): Promise<TemporaryFolder> => {
  const path = process.env[sharedProgramsVariable];
  return path === undefined ? copyOfPrograms() : { path, [Symbol.asyncDispose]: async () => undefined };
};
