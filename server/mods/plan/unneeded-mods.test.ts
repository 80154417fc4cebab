import { expect, test } from 'vitest';
import type { ChangeWish } from '#contracts/mods/mods.ts';
import type { ModMetadata, ModsList } from '#contracts/servers/agent-mods.ts';
import { plan, subjectOf } from '../testing/planning.ts';
import {
  afterwards,
  emptyList,
  foundFile,
  materialsOf,
  type SampleProject,
  sampleSource,
} from '../testing/sample-mods.ts';
import type { PlanSubject } from './plan.ts';

const projects: readonly SampleProject[] = [
  { id: 'app', versions: [{ id: 'app1', needs: ['lib'] }] },
  { id: 'lib', versions: [{ id: 'lib1', needs: ['core'] }] },
  { id: 'core', versions: ['core1'] },
  { id: 'other', versions: ['other1'] },
];
const install = (project: string): ChangeWish => ({
  do: 'install',
  source: 'modrinth',
  project,
  version: null,
});
const remove = (name: string): ChangeWish => ({ do: 'remove', key: `modrinth:${name}` });
const serverWith = async (...ids: readonly string[]): Promise<ModsList> =>
  afterwards(emptyList, await plan(subjectOf(), ids.map(install), materialsOf(projects)));
const came = { dependencies: new Set(['modrinth:lib', 'modrinth:core']) };
const unneededOf = async (
  list: ModsList,
  wishes: readonly ChangeWish[],
  more: Partial<PlanSubject> = came,
  materials = materialsOf(projects),
) => {
  const { unneeded, remove: removed } = await plan(subjectOf(list, more), wishes, materials);
  return { unneeded: unneeded.map(({ key }) => key).sort(), removed: removed.toSorted() };
};
const metadataOf = (id: string, requires: readonly string[] = []): ModMetadata => ({
  id,
  name: id,
  version: '1',
  authors: [],
  loaders: ['fabric'],
  side: 'both',
  requires: [...requires],
  breaks: [],
});

// Guarantee: what came along with a removed mod is offered for removal, with what came along with that, and nothing of it is
// removed unasked.
test('the dependencies of a mod that goes', async () => {
  const list = await serverWith('app', 'other');
  expect(await unneededOf(list, [remove('app')])).toEqual({
    unneeded: ['modrinth:core', 'modrinth:lib'],
    removed: ['modrinth:app'],
  });
  expect(await unneededOf(list, [remove('app'), remove('lib')])).toEqual({
    unneeded: ['modrinth:core'],
    removed: ['modrinth:app', 'modrinth:lib'],
  });
});

test('what is still required, was chosen or is pinned is not offered', async () => {
  const list = await serverWith('app', 'other');
  expect((await unneededOf(list, [remove('other')])).unneeded).toEqual([]);
  expect((await unneededOf(list, [remove('app')], {})).unneeded).toEqual([]);
  const chosen = { dependencies: new Set(['modrinth:core']) };
  expect((await unneededOf(list, [remove('app')], chosen)).unneeded).toEqual([]);
  const pins = new Map([['modrinth:lib', { reason: 'I like it' }]]);
  expect((await unneededOf(list, [remove('app')], { ...came, pins })).unneeded).toEqual([]);
});

// Guarantee: when a mod's requirements are unknown, nothing is offered.
test('without knowing what each mod requires', async () => {
  const list = await serverWith('app', 'other');
  const failed = { failed: { source: 'modrinth', state: 'away', againAt: null } } as const;
  const materials = materialsOf(projects);
  const away = {
    ...materials,
    sources: { ...materials.sources, modrinth: sampleSource('modrinth', [], failed) },
  };
  expect((await unneededOf(list, [remove('app')], came, away)).unneeded).toEqual([]);
  const withFile = { ...list, found: [foundFile('mods/mine.jar')], foundCount: 1 };
  expect((await unneededOf(withFile, [remove('app')])).unneeded).toEqual([]);
  const forgotten = materialsOf(projects.filter(({ id }) => id !== 'other'));
  expect((await unneededOf(list, [remove('app')], came, forgotten)).unneeded).toEqual([]);
});

test('a file that lies there by hand and requires one of them', async () => {
  const bare = await serverWith('app');
  const list = {
    ...bare,
    installed: bare.installed.map((mod) => ({ ...mod, metadata: metadataOf(mod.name) })),
    found: [{ ...foundFile('mods/mine.jar'), metadata: metadataOf('mine', ['lib']) }],
    foundCount: 1,
  };
  expect((await unneededOf(list, [remove('app')])).unneeded).toEqual([]);
  const [mine] = list.found;
  const free = { ...list, found: mine ? [{ ...mine, metadata: metadataOf('mine') }] : [] };
  expect((await unneededOf(free, [remove('app')])).unneeded).toEqual(['modrinth:core', 'modrinth:lib']);
});

test('a plan that is blocked offers nothing', async () => {
  const list = await serverWith('app');
  expect((await unneededOf(list, [remove('app'), install('gone')])).unneeded).toEqual([]);
});
