// @module-tag identity

import { test } from 'vitest';
import { type Kill, killDuringRestores } from '../../integration/testing/kill-restores.ts';
import { seeded } from '../../power-kills/held-server.ts';

const kills = 20;
const random = seeded(Number(process.env.CASTELLAN_KILL_SEED ?? 18));
/** So large that a restore takes a while. */
const chunkBytes = 300_000;

// Guarantee: no matter when API or agent dies, the world is all old or all new, the act's result matches the disk, and neither it
// nor its consequences happen twice.
test('killed in the midst', { timeout: 900_000 }, () =>
  killDuringRestores(
    Array.from(
      { length: kills },
      (_, index): Kill => ({
        victim: index % 4 < 2 ? 'API' : 'agent',
        at: (wholeMs) => random() * wholeMs,
      }),
    ),
    chunkBytes,
  ),
);
