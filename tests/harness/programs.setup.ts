import { sharedProgramsVariable } from './built-program.ts';
import { onceARun } from './once-a-run.ts';
import { copyOfPrograms } from './panel-programs.ts';

/**
 * Tests that start programs use what ships: the bundles, rebuilt for the run, in a copy that a build in the same checkout does not
 * change.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  const { value, release } = await onceARun('programs', copyOfPrograms);
  // Workers inherit the variables that are set before they start.
  process.env[sharedProgramsVariable] = value.path;
  return release;
};
