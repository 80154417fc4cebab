import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { corpora } from './changed-inputs.ts';

// Guarantee: a new corpus gets its part of the changed inputs.
test('the corpora', () => {
  const folders = readdirSync(import.meta.dirname).filter((name) =>
    statSync(join(import.meta.dirname, name)).isDirectory(),
  );
  expect(folders.sort()).toEqual(corpora.toSorted());
});
