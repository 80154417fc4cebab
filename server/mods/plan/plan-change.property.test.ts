import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChangeWish } from '#contracts/mods/mods.ts';
import type { ModsList } from '#contracts/servers/agent-mods.ts';
import type { SourceDependency } from '../sources/mod-source.ts';
import {
  afterwards,
  emptyList,
  materialsOf,
  type SampleProject,
  type SampleVersion,
} from '../testing/sample-mods.ts';
import { planChange } from './plan-change.ts';

const { signal } = new AbortController();
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

const dependency: fc.Arbitrary<SourceDependency> = fc
  .record({
    kind: fc.constantFrom('required', 'required', 'required', 'optional', 'incompatible', 'embedded'),
    project: fc.constantFrom(...names),
    version: fc.option(fc.constantFrom('1', '2', '3'), { freq: 4 }),
  })
  .map(({ kind, project, version }) => ({
    kind,
    project: version === '3' ? null : project,
    version: version && `${project}${version}`,
  }));

const project = (id: string): fc.Arbitrary<SampleProject> =>
  fc
    .array(
      fc.record({
        dependencies: fc.array(dependency, { maxLength: 3 }),
        loaders: fc.constantFrom(['fabric'], ['fabric'], ['fabric'], ['forge']),
        channel: fc.constantFrom('release', 'release', 'beta'),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .chain((versions) =>
      fc.record({
        id: fc.constant(id),
        side: fc.constantFrom('both', 'both', 'both', 'both', 'client'),
        versions: fc.constant(
          versions.map((version, index): SampleVersion => ({ ...version, id: `${id}${index + 1}` })),
        ),
      }),
    );

const world = fc
  .tuple(...names.map(project))
  .chain((projects) => fc.subarray(projects, { minLength: names.length - 1 }));

const install = fc
  .record({
    project: fc.constantFrom(...names),
    version: fc.option(fc.constantFrom('1', '2'), { nil: null }),
  })
  .map(
    ({ project: id, version }): ChangeWish => ({
      do: 'install',
      source: 'modrinth',
      project: id,
      version: version && `${id}${version}`,
    }),
  );
const later: fc.Arbitrary<ChangeWish> = fc.oneof(
  install,
  fc.constant<ChangeWish>({ do: 'update-all' }),
  fc.constantFrom(...names).map((name): ChangeWish => ({ do: 'remove', key: `modrinth:${name}` })),
);

/** What is wrong with a set, judged by the catalogue alone. */
const wrongWith = (projects: readonly SampleProject[], list: ModsList): string[] => {
  const here = new Map(list.installed.map((mod) => [mod.project, mod]));
  return list.installed.flatMap((mod) => {
    const own = projects.find(({ id }) => id === mod.project);
    if (own?.side === 'client') return [`${mod.name} is for clients`];
    const version = own?.versions.find((one) => typeof one !== 'string' && one.id === mod.version);
    if (!version || typeof version === 'string') return [`${mod.name} has no version ${mod.version}`];
    return (version.dependencies ?? []).flatMap((needed) => {
      const id = needed.project ?? needed.version?.slice(0, 1) ?? '';
      const other = here.get(id);
      const isMet = other && (needed.version === null || other.version === needed.version);
      const isForClients = projects.some((one) => one.id === id && one.side === 'client');
      if (needed.kind === 'required' && !isMet && !isForClients)
        return [`${mod.version} needs ${needed.version ?? id}`];
      if (needed.kind === 'incompatible' && isMet && other !== mod)
        return [`${mod.version} is not for ${id}`];
      return [];
    });
  });
};

const runs = { numRuns: 1000 };

// Guarantee: for any wishes and any catalogue: a plan without blocking faults leads to a set with everything it requires and
// nothing that excludes it; the same wishes give the same plan, and once it is carried out there is nothing left to do.
test('a plan is closed under what is required, without conflicts, deterministic and idempotent', async () => {
  let carriedOut = 0;
  await fc.assert(
    fc.asyncProperty(world, fc.array(install, { minLength: 1, maxLength: 4 }), async (projects, wishes) => {
      const subject = {
        game: 'minecraft',
        list: emptyList,
        pins: new Map(),
        byName: 'Ann',
        proven: null,
        dependencies: new Set<string>(),
      } as const;
      const planned = await planChange(subject, wishes, materialsOf(projects), signal);
      const again = await planChange(subject, wishes, materialsOf(projects.toReversed()), signal);
      expect(again).toEqual(planned);
      if (planned.faults.some(({ isBlocking }) => isBlocking)) return;
      carriedOut += 1;
      const list = afterwards(emptyList, planned);
      expect(wrongWith(projects, list)).toEqual([]);
      const repeated = await planChange({ ...subject, list }, wishes, materialsOf(projects), signal);
      expect(repeated.lines).toEqual([]);
      expect(repeated.faults.filter(({ isBlocking }) => isBlocking)).toEqual([]);
    }),
    runs,
  );
  // Otherwise it would only prove something about catalogues from which nothing can be installed.
  expect(carriedOut).toBeGreaterThan(50);
});

// Guarantee: the same holds for later changes: updates, removals and more mods on a server that has some.
test('a sound set stays sound through every plan that nothing blocks', async () => {
  let carriedOut = 0;
  await fc.assert(
    fc.asyncProperty(
      world,
      fc.array(fc.array(later, { minLength: 1, maxLength: 2 }), { maxLength: 5 }),
      async (projects, steps) => {
        let list = emptyList;
        for (const wishes of steps) {
          const subject = {
            game: 'minecraft',
            list,
            pins: new Map(),
            byName: 'Ann',
            proven: null,
            dependencies: new Set<string>(),
          } as const;
          const planned = await planChange(subject, wishes, materialsOf(projects), signal);
          if (planned.faults.some(({ isBlocking }) => isBlocking)) continue;
          list = afterwards(list, planned);
          carriedOut += 1;
          expect(wrongWith(projects, list)).toEqual([]);
        }
      },
    ),
    runs,
  );
  expect(carriedOut).toBeGreaterThan(50);
});
