import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { problemDocs, problemDocsFile } from './problem-docs.ts';

// Guarantee: every problem code is documented, and the page names none that does not exist.
test('docs/problems.md says what the registry says', async () => {
  expect(await readFile(problemDocsFile, 'utf8')).toBe(problemDocs());
});
