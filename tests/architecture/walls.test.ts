import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

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
/** One file of each part to import in the test. It imports nothing itself, since the compiler also reads what a wall keeps out. */
const importedFile = {
  contracts: 'contracts/product.ts',
  runtime: 'runtime/secret.ts',
  games: 'games/ark/limits.ts',
  portal: 'portal/database/in-time.ts',
  server: 'server/database/storable-text.ts',
  bot: 'bot/sign-in-verdict.ts',
  agent: 'agent/plain-log.ts',
  electron: 'electron/supervisor/restart-verdict.ts',
  renderer: 'renderer/routing/hash-location.ts',
} as const;
type Part = keyof typeof walls;
const parts = Object.keys(walls) as Part[];

/** A project with a part's own compiler options and references, whose only file imports from another part. */
const makeIntruder = async (folder: string, from: Part, to: Part): Promise<string> => {
  const project = join(folder, `${from}-${to}`);
  await mkdir(project);
  const options = JSON.parse(await readFile(join(root, from, 'tsconfig.json'), 'utf8'));
  options.extends = relative(project, join(root, 'tsconfig.base.json'));
  Object.assign(options.compilerOptions, {
    rootDir: root,
    outDir: join(project, 'out'),
    tsBuildInfoFile: join(project, 'info'),
  });
  options.references = options.references.map(({ path }: { path: string }) => ({
    path: join(root, from, path),
  }));
  options.include = ['./intruder.ts'];
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(options));
  await writeFile(
    join(project, 'intruder.ts'),
    `import '${relative(project, join(root, importedFile[to]))}';\n`,
  );
  return project;
};

// Guarantee: an import across a wall does not compile, and an allowed import does.
test('the compiler holds the walls between the parts', async () => {
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache/walls-'));
  try {
    const pairs = parts.flatMap((from) => parts.filter((to) => to !== from).map((to) => ({ from, to })));
    const projects = await Promise.all(pairs.map(({ from, to }) => makeIntruder(folder, from, to)));
    const { stdout } = await run('tsc', ['--build', ...projects], { maxBuffer: 64 * 1024 * 1024 }).catch(
      (error: { stdout: string }) => error,
    );
    for (const [index, { from, to }] of pairs.entries()) {
      const refused = stdout.includes(`${relative(root, projects[index] ?? '')}/intruder.ts`);
      const allowed = (walls[from] as readonly Part[]).includes(to);
      expect(refused, `${from} importing from ${to}`).toBe(!allowed);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
