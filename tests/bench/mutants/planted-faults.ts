import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { randomOf } from '../harness/seeded-random.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { languageOf } from './syntax.ts';

const root = resolve(import.meta.dirname, '../../..');
/** The parts that faults are planted into, unless a list names files of others. */
export const plantedParts = ['server', 'portal', 'runtime', 'games', 'agent', 'electron'];

export interface Mutant extends Mutation {
  readonly file: string;
  /** Without the fault. */
  readonly source: string;
}

export const isPlanted = (file: string): boolean =>
  plantedParts.some((part) => file.startsWith(`${part}/`)) &&
  file.endsWith('.ts') &&
  !file.endsWith('.test.ts') &&
  !file.includes('/testing/');

const byFile = new Map<string, readonly Mutant[]>();

/** Each fault that can be planted into these files, in their order. The sources are read once. */
export const mutantsIn = async (files: readonly string[]): Promise<readonly Mutant[]> => {
  for (const file of files) {
    if (byFile.has(file)) continue;
    const source = await readFile(join(root, file), 'utf8');
    const mutations = mutationsOf(source, languageOf(file));
    byFile.set(
      file,
      mutations.map((mutation) => ({ ...mutation, file, source })),
    );
  }
  return files.flatMap((file) => byFile.get(file) ?? []);
};

export const mutatedSource = ({ source, start, end, replacement }: Mutant): string =>
  source.slice(0, start) + replacement + source.slice(end);

/** @param at files, or lines as `file:line` */
export const isAt = ({ file, line }: Mutant, at: readonly string[]): boolean =>
  at.includes(file) || at.includes(`${file}:${line}`);

export const sampleOf = (mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] => {
  const random = randomOf(seed);
  const left = [...mutants];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0] as Mutant,
  );
};
