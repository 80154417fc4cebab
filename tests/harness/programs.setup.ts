import { bundlePrograms } from '../../build/bundle.ts';

/** Tests that start programs start what ships: the bundles, made anew for the run. */
export const setup = (): Promise<void> => bundlePrograms();
