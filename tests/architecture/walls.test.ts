import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const compiler = join(root, 'node_modules/typescript/bin/tsc');

/** The parts that each part may import. */
const walls = {
  contracts: [],
  runtime: ['contracts'],
  games: ['contracts', 'runtime'],
  portal: ['contracts', 'runtime'],
  server: ['contracts', 'runtime', 'games'],
  bot: ['contracts', 'runtime'],
  agent: ['contracts', 'runtime', 'games'],
  electron: ['contracts', 'runtime'],
  renderer: ['contracts'],
} as const;
type Part = keyof typeof walls;
const parts = Object.keys(walls) as Part[];

interface Configuration {
  extends: string;
  compilerOptions: Record<string, unknown>;
  include: string[];
}
const configurationOf = async (part: Part): Promise<Configuration> =>
  JSON.parse(await readFile(join(root, part, 'tsconfig.json'), 'utf8')) as Configuration;

/** A part with its own compiler options and references, whose only file imports one file of another part, or nothing. */
const writePart = async (folder: string, part: Part, imported: Part | null): Promise<string> => {
  const project = join(folder, part);
  await mkdir(project);
  const { compilerOptions, ...configuration } = await configurationOf(part);
  const written = {
    ...configuration,
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: { ...compilerOptions, outDir: 'out', tsBuildInfoFile: 'out/info', types: [] },
    include: ['./file.ts'],
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(written));
  const text = imported ? `export { value } from '../${imported}/file.ts';\n` : 'export const value = 1;\n';
  await writeFile(join(project, 'file.ts'), text);
  return project;
};

/** @returns the compiler's complaints, a line each */
const compile = (projects: readonly string[]): Promise<string> =>
  new Promise((resolved, reject) => {
    execFile(process.execPath, [compiler, '--build', ...projects], (error, stdout, stderr) => {
      // It ends with 1 or 2 when it has found faults; anything else means that it did not run.
      if (error && error.code !== 1 && error.code !== 2) reject(new Error(stderr, { cause: error }));
      else resolved(stdout);
    });
  });

// Guarantee: an import across a wall does not compile, and an allowed import does.
test('the compiler holds the walls between the parts', async () => {
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache/walls-'));
  try {
    const pairs = parts.flatMap((from) => parts.filter((to) => to !== from).map((to) => ({ from, to })));
    const projects = await Promise.all(
      pairs.map(async ({ from, to }) => {
        const tree = join(folder, `${from}-${to}`);
        await mkdir(tree);
        for (const part of parts) if (part !== from) await writePart(tree, part, null);
        return writePart(tree, from, to);
      }),
    );
    const complaints = await compile(projects);
    for (const { from, to } of pairs) {
      const isRefused = complaints.includes(`${from}-${to}/${from}/file.ts`);
      expect(isRefused, `${from} importing from ${to}\n${complaints}`).toBe(
        !(walls[from] as readonly Part[]).includes(to),
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

// Guarantee: a new part of the repository is behind walls, too.
test('every part has walls', async () => {
  const { references } = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8')) as {
    references: readonly { path: string }[];
  };
  const open = ['build', 'tests'];
  const folders = references
    .map(({ path }) => path.slice('./'.length))
    .filter((name) => !open.includes(name));
  expect(folders.sort(), 'tsconfig.json and `walls` name the same parts').toEqual(parts.toSorted());
});

// Guarantee: no part takes in another part's sources, which no wall would stop.
test.each(parts)('%s consists of its own files', async (part) => {
  const { include } = await configurationOf(part);
  expect(include.filter((pattern) => !pattern.startsWith('./') && pattern !== '../package.json')).toEqual([]);
});
