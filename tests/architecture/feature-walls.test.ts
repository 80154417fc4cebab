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

const layouts: Readonly<Record<'server' | 'portal', PartLayout>> = {
  server: {
    roots: [
      'main.ts',
      'api.ts',
      'app.ts',
      'context.ts',
      'identity.ts',
      'game-services.ts',
      'game-services/',
      'storage.ts',
      'store.ts',
      'storefront.ts',
      'background-jobs.ts',
      'monitoring.ts',
      'discord-services.ts',
    ],
    kernelFiles: [],
    kernel: {
      http: 'the edge of every request: headers, refusals, TLS',
      database: 'the pool, migrations, notifications, and what can go wrong with them',
      commands: 'what is on its way to a game: which process works on it, and until when',
      access: 'who asks: every endpoint is bound to a guard',
      live: 'what a live topic is; features bring their topics',
      logs: 'long logs: bounds, cursors, pages, export, retention',
      audit: 'who changed what, in the transaction of the change',
      queues: 'jobs; features send them',
      secrets: 'seals and opens the secrets at rest; features name their columns',
      events: 'what happened; features record it',
      roles: 'what an account may do, and that no one gives more than they hold',
      'console-router':
        'which ways lead to a game and what to say where there is none; agents and status use its terms',
      'agent-tasks': 'what Game Agents are asked for beside commands; features start tasks',
      reconciliation: 'sends what bans and timed purchases want on servers, until it is there',
      'store-terms':
        'what catalogue, orders and deliveries hand each other, and what a wipe means to all of them',
    },
  },
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

const throughWalls = (imports: ImportGraph, part: 'server' | 'portal'): readonly string[] =>
  [...imports].flatMap(([file, targets]) => {
    const layout = layouts[part];
    if (!file.startsWith(`${part}/`) || isTest(file) || isRoot(part, layout, file)) return [];
    return targets
      .filter((target) => target.startsWith(`${part}/`) && !mayImport(layout, part, file, target))
      .map((target) => `${file} -> ${target}`);
  });

// Guarantee: a feature of the API or of the portal can be changed or removed without reading another one.
test('features import each other only through a composition root or the kernel', () => {
  const found = [...throughWalls(graph, 'server'), ...throughWalls(graph, 'portal')];
  expect(found).toEqual([]);
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
    ['server/players/a.ts', ['server/agents/b.ts', 'server/access/c.ts', 'server/app.ts']],
    ['server/access/c.ts', ['server/audit/d.ts', 'server/database/e.ts']],
    ['server/agents/b.ts', ['server/agents/f.ts']],
    ['server/agents/f.ts', ['server/players/a.ts']],
  ]);
  expect(throughWalls(broken, 'server')).toEqual([
    'server/players/a.ts -> server/agents/b.ts',
    'server/players/a.ts -> server/app.ts',
    'server/access/c.ts -> server/audit/d.ts',
    'server/agents/f.ts -> server/players/a.ts',
  ]);
  expect(findCircles(broken)).toEqual([['server/agents/b.ts', 'server/agents/f.ts', 'server/players/a.ts']]);
});
