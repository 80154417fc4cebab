// @module-tag identity

import { testCanaries } from './testing/canary-tests.ts';

// By night, every place of every endpoint gets all of them.
testCanaries({
  everything: { together: 0, single: 6 },
  unknown: { together: 0, single: 10 },
  database: { together: 0, single: 10 },
});
