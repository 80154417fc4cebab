import { expect, test } from 'vitest';
import { findCircles, type ImportGraph, readImportGraph } from './import-graph.ts';

interface PartLayout {
  /** Files and folders that compose features: they may import everything, and no feature imports them. */
  readonly roots: readonly string[];
  /** Top-level files that any feature may import. */
  readonly kernelFiles: readonly string[];
  /** Folders that any feature may import, lowest first: each may import those above it in this list, and no feature. */
  readonly kernel: Readonly<Record<string, string>>;
}

const layouts: Readonly<Record<'portal', PartLayout>> = {
  portal: {
    // `commands/` binds features to the command line as the app binds them to routes.
    roots: ['main.ts', 'serve.ts', 'app.ts', 'context.ts', 'config.ts', 'commands/'],
    kernelFiles: ['config.ts', 'portal-routes.ts'],
    kernel: {
      home: 'the folder of an installation, and who holds it',
      language: 'what language a reader reads, and how times are written in it',
      database: 'the pool, migrations, and what can go wrong with them',
      'rate-limits': 'counts requests against an address',
      'master-key': 're-encrypts what rests under the master key',
      'signing-keys': 'signs license tokens',
      pages: 'what every page is made of: layout, forms, cookies',
      licenses: 'the subject of every other feature',
      mail: 'mail templates and the outbox; features enqueue theirs',
      transfers: 'customers ask for them, the vendor grants them, an activation completes them',
      purchases: 'orders; the vendor settles what the gateway could not',
    },
  },
};

const circleParts = [
  'contracts',
  'runtime',
  'games',
  'agent',
  'bot',
  'server',
  'portal',
  'electron',
  'renderer',
];
const graph = await readImportGraph(circleParts);

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file) || file.includes('/testing/');
/** The folder directly under the part; null for a top-level file. */
const folderOf = (file: string): string | null => {
  const [, folder, ...rest] = file.split('/');
  return rest.length === 0 ? null : (folder ?? null);
};

const isRoot = (part: string, { roots }: PartLayout, file: string): boolean =>
  roots.some((root) =>
    root.endsWith('/') ? file.startsWith(`${part}/${root}`) : file === `${part}/${root}`,
  );

const mayImport = (layout: PartLayout, part: string, file: string, target: string): boolean => {
  const from = folderOf(file);
  const to = folderOf(target);
  if (layout.kernelFiles.includes(target.slice(part.length + 1))) return true;
  if (isRoot(part, layout, target) || to === null) return false;
  if (from === to) return true;
  const kernel = Object.keys(layout.kernel);
  const height = kernel.indexOf(to);
  const own = from === null ? -1 : kernel.indexOf(from);
  return height !== -1 && (own === -1 || height < own);
};

const throughWalls = (imports: ImportGraph, part: 'portal'): readonly string[] =>
  [...imports].flatMap(([file, targets]) => {
    const layout = layouts[part];
    if (!file.startsWith(`${part}/`) || isTest(file) || isRoot(part, layout, file)) return [];
    return targets
      .filter((target) => target.startsWith(`${part}/`) && !mayImport(layout, part, file, target))
      .map((target) => `${file} -> ${target}`);
  });

// Guarantee: a feature of the portal can be changed or removed without reading another one.
test('features import each other only through a composition root or the kernel', () => {
  expect(throughWalls(graph, 'portal')).toEqual([]);
});

// Guarantee: every folder that is listed as kernel exists.
test('the kernel names folders that exist', () => {
  const folders = new Set([...graph.keys()].map((file) => `${file.split('/')[0]}/${folderOf(file)}`));
  for (const [part, { kernel }] of Object.entries(layouts))
    for (const folder of Object.keys(kernel)) expect(folders).toContain(`${part}/${folder}`);
});

// Guarantee: every file can be read and built after the files that it imports.
test('no files import each other in a circle', () => {
  const circles = findCircles(graph).map((circle) => circle.join(', '));
  expect(circles).toEqual([]);
});

// Guarantee: the checks above detect an import of a type, an import of a whole module, and a circle of three files.
test('a wall that is broken is reported', () => {
  const broken: ImportGraph = new Map([
    ['portal/customers/a.ts', ['portal/vendor/b.ts', 'portal/pages/c.ts', 'portal/app.ts']],
    ['portal/pages/c.ts', ['portal/licenses/d.ts', 'portal/database/e.ts']],
    ['portal/vendor/b.ts', ['portal/vendor/f.ts']],
    ['portal/vendor/f.ts', ['portal/customers/a.ts']],
  ]);
  expect(throughWalls(broken, 'portal')).toEqual([
    'portal/customers/a.ts -> portal/vendor/b.ts',
    'portal/customers/a.ts -> portal/app.ts',
    'portal/pages/c.ts -> portal/licenses/d.ts',
    'portal/vendor/f.ts -> portal/customers/a.ts',
  ]);
  expect(findCircles(broken)).toEqual([
    ['portal/customers/a.ts', 'portal/vendor/b.ts', 'portal/vendor/f.ts'],
  ]);
});
