import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sharedProgramsVariable } from './built-program.ts';
import { onceARun } from './once-a-run.ts';
import { copyOfPrograms } from './panel-programs.ts';

/**
 * Tests that start programs use what ships: the bundles, rebuilt for the run, in a copy that a build in the same checkout does not
 * change.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  const { value, release } = await onceARun('programs', programsOfRun);
  // Workers inherit the variables that are set before they start.
  process.env[sharedProgramsVariable] = value.path;
  return release;
};

const programsOfRun = async () => {
  const programs = await copyOfPrograms();
  const bundling = join(import.meta.dirname, 'bundle-command-line.ts');
  await promisify(execFile)(process.execPath, [bundling, programs.path]);
  return programs;
};
