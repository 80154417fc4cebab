import { dirname } from 'node:path';
import type { ImportGraph } from '../../architecture/import-graph.ts';

/** The unit tests that reach a file by imports, and its own: those in its folder first, then the nearest. */
export const relatedTests = (graph: ImportGraph, file: string): readonly string[] => {
  const importers = new Map<string, string[]>();
  for (const [importer, imported] of graph)
    for (const one of imported) {
      const path = one.replace(/^(?:harness|simulators)\//, 'tests/$&');
      importers.set(path, [...(importers.get(path) ?? []), importer]);
    }

  const reached = new Set([file]);
  // An entry's own test starts it as a process and imports nothing of it.
  const own = file.replace(/\.ts$/, '.test.ts');
  if (graph.has(own)) reached.add(own);
  // Iterating a set includes items added during the loop, so this walks by distance.
  for (const one of reached) for (const importer of importers.get(one) ?? []) reached.add(importer);
  const tests = [...reached].filter((one) => one.endsWith('.test.ts') && !one.startsWith('tests/'));
  // Routes are reached through a whole application, which makes all of its tests equally near.
  const isBeside = (test: string) => dirname(test) === dirname(file);
  return [...tests.filter(isBeside), ...tests.filter((test) => !isBeside(test))];
};
