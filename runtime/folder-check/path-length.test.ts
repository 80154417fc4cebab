import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { initializedClusterVariable } from '#harness/initialized-cluster.ts';
import { staged, staging } from '../backup/restore-journal.ts';
import { longestClusterFile, longestClusterFolder, longestHome } from './path-length.ts';

const deepest = (paths: readonly string[]): number => Math.max(...paths.map((path) => path.length));

// Guarantee: the limit for a data folder leaves room for each file of a real cluster, in each folder in which one is run.
test('the longest paths below a data folder', async () => {
  const data = join(process.env[initializedClusterVariable] ?? '', 'data');
  const files = await readdir(data, { recursive: true });
  expect(files).toContain('PG_VERSION');
  // Postgres makes a temporary one beside what it writes whole, and marks each segment of its log.
  const written = files.flatMap((path) => [path, `${path}.tmp`, `${path}_fsm.99`]);
  expect(deepest(written)).toBeLessThanOrEqual(longestClusterFile.length);
  const folders = [
    ...['postgres/data', 'postgres/data.new', 'postgres/data.restore', 'postgres/verifying/data'],
    ...[staging('/home'), staged('/home')].map((path) => join(relative('/home', path), 'postgres/data')),
  ];
  expect(deepest(folders)).toBeLessThanOrEqual(longestClusterFolder.length);
  expect(longestHome('win32') + 1 + longestClusterFolder.length + 1 + longestClusterFile.length).toBe(259);
});
