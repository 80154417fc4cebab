// @module-tag identity

import { testCanaries } from '../../integration/testing/canary-tests.ts';

const all = { together: 1, single: 1 };
testCanaries({ everything: all, unknown: all, database: all });
