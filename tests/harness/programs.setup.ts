import { bundlePrograms } from '../../build/bundle.ts';

/** Tests that start programs use what ships: the bundles, rebuilt for the run. */
export const setup = (): Promise<void> => bundlePrograms();
