import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readImportGraph } from './import-graph.ts';

const root = resolve(import.meta.dirname, '../..');

/** From the lowest to the highest: files import faces of domains before theirs, never of those beside or after it. */
const order: readonly (readonly string[])[] = [
  ['identity'],
  ['operations'],
  ['license'],
  ['servers'],
  ['mods', 'store'],
  ['people'],
  ['storefronts'],
  ['discord'],
];
const domains = order.flat();

interface House {
  /** What every domain may import, all of it. It imports no domain. */
  readonly base: string;
  /** Composition roots: they import everything, and nothing but they imports them. Files directly in the part are roots, too. */
  readonly roots: string;
  /** What else stands directly in the part: its starts, and folders that hold no code. */
  readonly others: readonly string[];
}
const houses: Readonly<Record<'server' | 'renderer', House>> = {
  server: { base: 'kernel', roots: 'composition', others: ['main.ts', 'api.ts', 'app.ts'] },
  renderer: { base: 'kit', roots: 'shell', others: ['main.tsx', 'app.tsx', 'index.html', 'public'] },
};
type Part = keyof typeof houses;
const parts = Object.keys(houses) as Part[];

/** Lines of a domain, tests aside, from which on it is named, and from which on it must be divided. */
const [largeLines, mostLines] = [15_000, 20_000];

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file) || file.includes('/testing/');
const heightOf = (domain: string): number => order.findIndex((row) => row.includes(domain));

/** @returns what is wrong with the import, and what to do; null if nothing is */
const faultOf = (part: Part, file: string, target: string): string | null => {
  const { base, roots } = houses[part];
  const [, from = '', ...rest] = file.split('/');
  const [, to = '', ...within] = target.split('/');
  if (from === to || rest.length === 0 || from === roots || to === base) return null;
  if (within.length === 0 || to === roots)
    return 'is a composition root, which nothing imports: take what is needed as a value';
  if (from === base) return `belongs to a domain, which the ${base} does not know: move it or what needs it`;
  if (heightOf(to) >= heightOf(from))
    return `belongs to ${to}, which is not before ${from}: let ${from} take a value in its context`;
  if (within.length > 1) return `is private to ${to}: move it to ${part}/${to}/ if it is meant for others`;
  return null;
};

const throughWalls = (graph: ReadonlyMap<string, readonly string[]>): readonly string[] =>
  parts.flatMap((part) =>
    [...graph].flatMap(([file, targets]) => {
      if (!file.startsWith(`${part}/`) || isTest(file)) return [];
      return targets.flatMap((target) => {
        const fault = target.startsWith(`${part}/`) ? faultOf(part, file, target) : null;
        return fault === null ? [] : [`${file} imports ${target}, which ${fault}`];
      });
    }),
  );

/** Parts whose tests use what a domain shows. */
const readers = ['tests', 'agent', 'bot', 'build', 'electron', 'portal'] as const;

/** @returns files that stand directly in a domain, although nothing outside of it imports them */
const idleFaces = (graph: ReadonlyMap<string, readonly string[]>): readonly string[] => {
  const homeOf = (file: string) => file.split('/').slice(0, 2).join('/');
  const used = new Set(
    [...graph].flatMap(([file, targets]) => targets.filter((target) => homeOf(target) !== homeOf(file))),
  );
  return [...graph.keys()].filter((file) => {
    const [part, domain, ...within] = file.split('/');
    const isOfDomain = parts.some((one) => one === part) && domains.includes(domain ?? '');
    // What a domain is built with stands beside its faces.
    const isFace = within.length === 1 && !isTest(file) && !/-context\.ts$/.test(file);
    return isOfDomain && isFace && !used.has(file);
  });
};

const graph = await readImportGraph(parts);

// Guarantee: a domain can be changed by who knows it, its contracts, the base, and the faces of the domains before it.
test('domains meet at their faces, in one order', () => {
  expect(throughWalls(graph)).toEqual([]);
});

// Guarantee: the listings show the nine domains, and nothing that belongs to none. Contracts of the desktop and the portal are no domains'.
test('the rooms of the house', async () => {
  for (const part of [...parts, 'contracts'] as const) {
    const rooms = (await readdir(join(root, part))).filter(
      (name) => name !== 'tsconfig.json' && !isTest(name),
    );
    const house = part === 'contracts' ? null : houses[part];
    const others = house ? [house.base, house.roots, ...house.others] : ['kernel', 'desktop', 'portal'];
    const known = [...domains, ...others];
    expect(
      rooms.filter((room) => !known.includes(room)),
      `rooms of ${part} beside ${known.join(', ')}`,
    ).toEqual([]);
  }
});

// Guarantee: what is imported across a wall is the code itself, not a file that passes it on.
test('no face only re-exports', async () => {
  const passing: string[] = [];
  for (const file of graph.keys()) {
    if (/^export (?:type )?[{*][^;]*\bfrom '/m.test(await readFile(join(root, file), 'utf8')))
      passing.push(file);
  }
  expect(passing, 'these pass on what others export: let importers import it where it is defined').toEqual(
    [],
  );
});

// Guarantee: a domain's listing shows what others use of it, and nothing else.
test('each face is used from outside of its domain', async () => {
  const whole = new Map([...graph, ...(await readImportGraph(readers))]);
  expect(idleFaces(whole), 'only their own domain uses these: move each into a sub-folder').toEqual([]);
});

// Guarantee: no domain grows into a second house.
test('no domain is too large', async ({ annotate }) => {
  for (const part of parts) {
    for (const domain of domains) {
      const files = [...graph.keys()].filter(
        (file) => file.startsWith(`${part}/${domain}/`) && !isTest(file),
      );
      const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
      const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
      if (lines > largeLines) await annotate(`${part}/${domain} has ${lines} lines: think of dividing it`);
      expect(lines, `lines of ${part}/${domain}: divide it`).toBeLessThan(mostLines);
    }
  }
});

// Guarantee: the check names a face that only its own domain uses, and no file that may stand there.
test('an idle face is reported', () => {
  const faces = new Map([
    [
      'server/mods/mods.ts',
      ['server/mods/plans.ts', 'server/mods/mods-context.ts', 'server/mods/plans/plan.ts'],
    ],
    ['server/mods/plans.ts', []],
    ['server/mods/mods-context.ts', []],
    ['server/mods/plans/plan.ts', []],
    ['server/mods/mods.test.ts', []],
    ['server/servers/tasks.ts', []],
    ['server/composition/context.ts', ['server/mods/mods.ts']],
    ['tests/integration/tasks.test.ts', ['server/servers/tasks.ts']],
    ['renderer/mods/mods-page.tsx', ['renderer/mods/set-page.tsx']],
    ['renderer/mods/set-page.tsx', []],
    ['renderer/shell/navigation.ts', ['renderer/mods/mods-page.tsx']],
  ]);
  expect(idleFaces(faces)).toEqual(['server/mods/plans.ts', 'renderer/mods/set-page.tsx']);
});

// Guarantee: the check names each way through a wall.
test('a wall that is broken is reported', () => {
  const broken = new Map([
    ['server/store/orders/a.ts', ['server/people/b.ts', 'server/servers/agents/c.ts', 'server/servers/d.ts']],
    ['server/kernel/access/e.ts', ['server/identity/f.ts', 'server/kernel/http/g.ts']],
    ['server/mods/h.ts', ['server/store/i.ts', 'server/composition/store.ts', 'server/app.ts']],
    ['server/composition/store.ts', ['server/store/orders/a.ts']],
    ['renderer/kit/lists/j.tsx', ['renderer/shell/k.tsx']],
  ]);
  expect(throughWalls(broken).map((line) => line.split(',')[0])).toEqual([
    'server/store/orders/a.ts imports server/people/b.ts',
    'server/store/orders/a.ts imports server/servers/agents/c.ts',
    'server/kernel/access/e.ts imports server/identity/f.ts',
    'server/mods/h.ts imports server/store/i.ts',
    'server/mods/h.ts imports server/composition/store.ts',
    'server/mods/h.ts imports server/app.ts',
    'renderer/kit/lists/j.tsx imports renderer/shell/k.tsx',
  ]);
});
