import { bundlePrograms } from '../../build/bundle.ts';

/** Tests that start programs use what ships: the bundles, brought up to date for the run. */
export const setup = (): Promise<void> => bundlePrograms((line) => process.stderr.write(`${line}\n`));
