import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { readNamedTests, readPairs, testText } from './named-tests.ts';

const beside = 'tests/bench/mutants';

// Guarantee: a name may contain a comma; files and globs are separated by commas.
test('tests from a command line', async () => {
  const list = [
    `${beside}/mutations.test.ts,${beside}/{probes,named-tests}.test.ts`,
    `${beside}/probes.test.ts::a, b`,
  ];
  expect(await readNamedTests(list)).toEqual([
    { file: `${beside}/mutations.test.ts` },
    { file: `${beside}/named-tests.test.ts` },
    { file: `${beside}/probes.test.ts` },
    { file: `${beside}/probes.test.ts`, name: 'a, b' },
  ]);
  await expect(readNamedTests(['nowhere/*.test.ts'])).rejects.toThrow('nowhere/*.test.ts');
});

// Guarantee: a pair has its siblings and code expanded, and what else stands in the list is ignored.
test('pairs from a file', async () => {
  await using folder = await temporaryFolder('pairs');
  const path = join(folder.path, 'pairs.json');
  const moved = { file: `${beside}/probes.test.ts`, name: 'if', variables: { LOOKS: 'every' } };
  const sibling = { file: `${beside}/mutations.test.ts` };
  const entries = [
    { moved, sibling, code: [`${beside}/prob*s.ts`], reason: 'slow' },
    { moved, sibling: [sibling, moved] },
  ];
  await writeFile(path, JSON.stringify(entries));
  expect(testText(moved)).toBe(`LOOKS=every ${beside}/probes.test.ts::if`);
  expect(await readPairs(path)).toEqual([
    { moved, siblings: [sibling], code: [`${beside}/probes.ts`] },
    { moved, siblings: [sibling, moved], code: [] },
  ]);
  await writeFile(path, JSON.stringify([{ moved }]));
  await expect(readPairs(path)).rejects.toThrow('sibling');
});
