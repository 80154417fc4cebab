import { glob, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '../../..');

/** A test file, or those of its tests whose full name contains `name`. */
export interface NamedTest {
  readonly file: string;
  readonly name?: string | undefined;
  /** Environment variables of its part of the nightly tier. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** A test that moved to a later tier, and those that stay in its place. */
export interface Pair {
  readonly moved: NamedTest;
  readonly siblings: readonly NamedTest[];
  /** The files to plant faults into; all planted parts if empty. */
  readonly code: readonly string[];
}

/** The test as it is named on the command line, after its variables. */
export const testText = ({ file, name, variables = {} }: NamedTest): string => {
  const set = Object.entries(variables).map(([variable, value]) => `${variable}=${value} `);
  return `${set.join('')}${file}${name === undefined ? '' : `::${name}`}`;
};

/** The files in the order of their names, so that a seed draws the same faults everywhere. */
const filesOf = async (pattern: string): Promise<readonly string[]> => {
  const files = (await Array.fromAsync(glob(pattern, { cwd: root }))).map((file) =>
    file.replaceAll('\\', '/'),
  );
  if (files.length === 0) throw new Error(`No file is called ${pattern}`);
  return files.toSorted();
};

/** @param texts each one test as `FILE::NAME`, or files and globs separated by commas */
export const readNamedTests = async (texts: readonly string[]): Promise<readonly NamedTest[]> => {
  const tests: NamedTest[] = [];
  for (const text of texts) {
    const [pattern = '', name] = text.split(/::(.*)/s);
    // Not within the braces of a glob.
    for (const one of name === undefined ? pattern.split(/,(?![^{]*\})/) : [pattern])
      for (const file of await filesOf(one)) tests.push({ file, name });
  }
  return tests;
};

const testSchema = z.object({
  file: z.string(),
  name: z.string().optional(),
  variables: z.record(z.string(), z.string()).optional(),
});
const pairsSchema = z.array(
  z.object({
    moved: testSchema,
    sibling: z.union([testSchema, z.array(testSchema).min(1)]),
    code: z.array(z.string()).default([]),
  }),
);

/** Reads a list of `{ moved, sibling, code }`; files may be globs, and there may be several siblings. */
export const readPairs = async (path: string): Promise<readonly Pair[]> => {
  const entries = pairsSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  const expanded = async (test: NamedTest) => (await filesOf(test.file)).map((file) => ({ ...test, file }));
  const pairs: Pair[] = [];
  for (const { moved, sibling, code } of entries) {
    const siblings = await Promise.all([sibling].flat().map(expanded));
    const files = (await Promise.all(code.map(filesOf)))
      .flat()
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file));
    for (const one of await expanded(moved))
      pairs.push({ moved: one, siblings: siblings.flat(), code: files });
  }
  return pairs;
};
