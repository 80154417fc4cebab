import { join } from 'node:path';

/** Names the copy of the programs that a run of the tests made when it began. */
export const sharedProgramsVariable = 'CASTELLAN_TEST_PROGRAMS';

/** The command line without its program, bundled for the tests: they start it beside stand-ins for the other programs. */
export const commandLine = 'electron/headless/command-line.ts';

/**
 * One of the run's programs; where nothing was built, its source, which takes up to five times as long to start.
 * @param source path of the program's entry
 */
export const builtProgram = (
  name: 'api' | 'agent' | 'command-line' | 'disk-worker',
  source: string,
): string => {
  const programs = process.env[sharedProgramsVariable];
  return programs === undefined ? source : join(programs, `${name}.mjs`);
};
