import { expect, test } from 'vitest';
import type { ChangeWish } from '#contracts/mods/mods.ts';
import type { ModsList } from '#contracts/servers/agent-mods.ts';
import { plan, subjectOf, told } from '../testing/planning.ts';
import {
  afterwards,
  emptyList,
  materialsOf,
  type SampleProject,
  type SampleVersion,
} from '../testing/sample-mods.ts';
import { provenSet } from './proven-set.ts';

const updateAll: readonly ChangeWish[] = [{ do: 'update-all' }];
const serverWith = async (
  projects: readonly SampleProject[],
  ...ids: readonly string[]
): Promise<ModsList> => {
  const wishes = ids.map(
    (project): ChangeWish => ({ do: 'install', source: 'modrinth', project, version: null }),
  );
  return afterwards(emptyList, await plan(subjectOf(), wishes, materialsOf(projects)));
};
const hashes = (letter: string) => ({ sha512: letter.repeat(128) });
const v = (id: string, more: Partial<SampleVersion> = {}): SampleVersion => ({
  id,
  hashes: hashes('a'),
  ...more,
});
const app = (...versions: SampleVersion[]): SampleProject => ({ id: 'app', versions });
const lib = (...versions: string[]): SampleProject => ({ id: 'lib', versions });

/** The second server of a wave, whose first, identical server was updated when the catalogue was `then`; the catalogue is `now`. */
const second = async (
  list: ModsList,
  then: readonly SampleProject[],
  now: readonly SampleProject[],
  first: ModsList = list,
) => {
  const proven = provenSet(first, await plan(subjectOf(first), updateAll, materialsOf(then)));
  return plan(subjectOf(list, { proven }), updateAll, materialsOf(now));
};

// Guarantee: the later servers of a wave get the versions that the first one has proven, including what came along, however
// many newer ones were published since.
test('what is published in the midst of a wave reaches no later server', async () => {
  const list = await serverWith([app(v('app1')), lib('lib1')], 'app');
  const then = [app(v('app1'), v('app2', { needs: ['lib'] })), lib('lib1')];
  const now = [
    app(v('app1'), v('app2', { needs: ['lib'] }), v('app3', { needs: ['lib', 'core'] })),
    lib('lib1', 'lib2'),
    { id: 'core', versions: ['core1'] },
  ];
  expect(told(await second(list, then, now))).toEqual({
    lines: ['add lib - lib1 app', 'update app app1 app2 -'],
    faults: [],
  });
});

test('a newer version than the proven one stays, and is told of', async () => {
  const first = await serverWith([app(v('app1'))], 'app');
  const list = await serverWith([app(v('app1'), v('app2'), v('app3'))], 'app');
  const then = [app(v('app1'), v('app2'))];
  const now = [app(v('app1'), v('app2'), v('app3'))];
  expect(told(await second(list, then, now, first))).toEqual({ lines: [], faults: ['NOT_PROVEN app app3'] });
});

test('a mod that the first server lacks stays as it is, and is told of', async () => {
  const projects = [app(v('app1')), lib('lib1')];
  const [first, list] = [await serverWith(projects, 'app'), await serverWith(projects, 'app', 'lib')];
  const now = [app(v('app1'), v('app2')), lib('lib1', 'lib2')];
  expect(told(await second(list, now, now, first))).toEqual({
    lines: ['update app app1 app2 -'],
    faults: ['NOT_PROVEN lib lib1'],
  });
});

// Guarantee: half a proven set does not count: a server that cannot get all of it is not begun.
test.each([
  ['is gone', [app(v('app1'), v('app3'))], '!NO_VERSION_FITS app -'],
  ['has no version any more', [app()], '!NO_VERSION_FITS app -'],
  ['has another file', [app(v('app1'), v('app2', { hashes: hashes('b') }))], '!NOT_PROVEN app app2'],
] as const)('a proven version that %s', async (_, now, fault) => {
  const list = await serverWith([app(v('app1'))], 'app');
  const planned = await second(list, [app(v('app1'), v('app2'))], now);
  expect(told(planned).faults).toContain(fault);
});

test('a dependency that the first server did not need', async () => {
  const then = [app(v('app1'), v('app2'))];
  const now = [app(v('app1'), v('app2', { needs: ['lib'] })), lib('lib1')];
  const list = await serverWith([app(v('app1'))], 'app');
  expect(told(await second(list, then, now)).faults).toEqual(['!NOT_PROVEN lib app']);
});

test.each([
  ['loader', { loader: 'quilt' }],
  ['version of the game', { gameVersion: '1.21.4' }],
] as const)('a server with another %s is not begun', async (_, other) => {
  const first = await serverWith([app(v('app1'))], 'app');
  const now = [app(v('app1'), v('app2'))];
  const planned = await second({ ...first, ...other }, now, now, first);
  expect(told(planned)).toEqual({ lines: [], faults: ['!OTHER_THAN_PROVEN - -'] });
});

// Guarantee: a set that takes the newest versions also takes what the first server has proven.
test('a set without versions', async () => {
  const item = { source: 'modrinth', project: 'app', name: 'app', version: null, versionName: null } as const;
  const set: readonly ChangeWish[] = [{ do: 'set', set: 'clx0000000000000000000000', removeOthers: false }];
  const of = (...projects: readonly SampleProject[]) =>
    materialsOf(projects, { set: async () => ({ name: 'Set', items: [item] }) });
  const proven = provenSet(emptyList, await plan(subjectOf(), set, of(app(v('app1')))));
  const planned = await plan(subjectOf(emptyList, { proven }), set, of(app(v('app1'), v('app2'))));
  expect(told(planned)).toEqual({ lines: ['add app - app1 -'], faults: [] });
});
