import { test } from 'vitest';

/**
 * A test that runs only under this condition. With `test.skipIf` and `test.runIf` a test would also run where a tag of it says that
 * something is missing: what they set goes before the tag.
 */
export const testIf = (condition: boolean): typeof test.skip => (condition ? test : test.skip);
