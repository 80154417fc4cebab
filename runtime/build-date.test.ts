import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isBeforeBuild } from './build-date.ts';

// Guarantee: a clock that shows a time before the program was made is known to be behind, without a license or anything else.
test('a clock before the build', () => {
  const builtMs = statSync(join(import.meta.dirname, 'build-date.ts')).mtimeMs;
  for (const nowMs of [0, Date.UTC(2000, 0, 1), builtMs - 6 * 60_000])
    expect(isBeforeBuild(nowMs)).toBe(true);
  for (const nowMs of [builtMs - 4 * 60_000, builtMs, Date.UTC(2100, 0, 1), Number.NaN])
    expect(isBeforeBuild(nowMs)).toBe(false);
});
