import { describe, expect, test } from 'vitest';
import type { ChangeWish } from '#contracts/mods/mods.ts';
import type { ModFile, ModMetadata, ModsList } from '#contracts/servers/agent-mods.ts';
import { plan, subjectOf, told } from '../testing/planning.ts';
import {
  afterwards,
  emptyList,
  foundFile,
  materialsOf,
  type SampleProject,
  sampleSource,
} from '../testing/sample-mods.ts';

const install = (project: string, version: string | null = null): ChangeWish => ({
  do: 'install',
  source: 'modrinth',
  project,
  version,
});

/** A server with what these wishes bring, from a catalogue of that day. */
const serverWith = async (
  projects: readonly SampleProject[],
  ...ids: readonly string[]
): Promise<ModsList> => {
  const wishes = ids.map((id) => install(id));
  return afterwards(emptyList, await plan(subjectOf(), wishes, materialsOf(projects)));
};

const lib: SampleProject = { id: 'lib', versions: ['lib1'] };
const app: SampleProject = { id: 'app', versions: [{ id: 'app1', needs: ['lib'] }] };

describe('what is required', () => {
  // Guarantee: what a mod requires comes along, in loading order, and names the mod it is for.
  test('comes along, also around a circle', async () => {
    const circle = { id: 'lib', versions: [{ id: 'lib1', needs: ['app'] }] };
    const planned = await plan(subjectOf(), [install('app')], materialsOf([app, circle]));
    expect(told(planned)).toEqual({ lines: ['add lib - lib1 app', 'add app - app1 -'], faults: [] });
    expect(planned.downloadBytes).toBe(20);
  });

  test('is left as it is where it is good enough, and changed where a version of it is named', async () => {
    const list = await serverWith([lib], 'lib');
    const newer: SampleProject = { id: 'lib', versions: ['lib1', 'lib2', 'lib3'] };
    const enough = await plan(subjectOf(list), [install('app')], materialsOf([app, newer]));
    expect(told(enough).lines).toEqual(['add app - app1 -']);
    const named = {
      id: 'app',
      versions: [
        { id: 'app1', dependencies: [{ kind: 'required' as const, project: null, version: 'lib2' }] },
      ],
    };
    const changed = await plan(subjectOf(list), [install('app')], materialsOf([named, newer]));
    expect(told(changed).lines).toEqual(['update lib lib1 lib2 app', 'add app - app1 -']);
  });

  test('is named where it is gone, or has no version that fits', async () => {
    const gone = await plan(subjectOf(), [install('app')], materialsOf([app]));
    expect(told(gone).faults).toEqual(['!DEPENDENCY_GONE lib app']);
    const forge = { id: 'lib', versions: [{ id: 'lib1', loaders: ['forge'] }] };
    const unfit = await plan(subjectOf(), [install('app')], materialsOf([app, forge]));
    expect(told(unfit).faults).toEqual(['!DEPENDENCY_NO_VERSION lib app']);
  });

  test('two that name different versions of a third are a conflict', async () => {
    const needing = (id: string, version: string): SampleProject => ({
      id,
      versions: [{ id: `${id}1`, dependencies: [{ kind: 'required', project: 'lib', version }] }],
    });
    const both = { id: 'lib', versions: ['lib1', 'lib2'] };
    const materials = materialsOf([needing('x', 'lib1'), needing('y', 'lib2'), both]);
    const planned = await plan(subjectOf(), [install('x'), install('y')], materials);
    expect(planned.faults).toMatchObject([{ code: 'CONFLICT', mod: 'lib', detail: 'lib2 (y), lib1 (x)' }]);
  });
});

const naming = (id: string, ...versions: readonly (string | null)[]): SampleProject => ({
  id,
  versions: versions.map((version, index) => ({
    id: `${id}${index + 1}`,
    dependencies: version === null ? [] : [{ kind: 'required', project: null, version }],
  })),
});

describe('a version that is named by another mod', () => {
  // Guarantee: a mod is not updated away from a version that a staying mod requires.
  test('stays as long as that one does', async () => {
    const pair = [naming('app', 'lib1'), naming('lib', null, null)];
    const list = await serverWith(pair, 'app');
    const one: ChangeWish = { do: 'update', key: 'modrinth:lib', version: null };
    const named = await plan(subjectOf(list), [one], materialsOf(pair));
    expect(told(named).faults).toEqual(['!CONFLICT lib app']);
    const all = await plan(subjectOf(list), [{ do: 'update-all' }], materialsOf(pair));
    expect(told(all)).toEqual({ lines: [], faults: [] });
  });

  test('is free again when the one that named it is another version itself', async () => {
    const projects = [naming('y', null, null), naming('x', null, 'y1'), naming('z', 'x1')];
    const planned = await plan(
      subjectOf(),
      ['y', 'x', 'z'].map((id) => install(id)),
      materialsOf(projects),
    );
    expect(planned.faults).toEqual([]);
    expect(planned.put.map(({ version }) => version)).toEqual(['y2', 'x1', 'z1']);
  });
});

describe('a wish', () => {
  test('for what is not there, does not fit or is for players only', async () => {
    const projects: SampleProject[] = [
      { id: 'forge', versions: [{ id: 'forge1', loaders: ['forge'] }] },
      { id: 'shader', side: 'client', versions: ['shader1'] },
    ];
    const wishes = [install('none'), install('forge'), install('shader')];
    expect(told(await plan(subjectOf(), wishes, materialsOf(projects)))).toEqual({
      lines: [],
      faults: ['!PROJECT_GONE none -', '!NO_VERSION_FITS forge -', 'CLIENT_ONLY shader -'],
    });
  });

  test('without a version takes the newest release, a beta only where there is none', async () => {
    const projects: SampleProject[] = [
      { id: 'a', versions: ['a1', { id: 'a2', channel: 'beta' }] },
      {
        id: 'b',
        versions: [
          { id: 'b1', channel: 'alpha' },
          { id: 'b2', channel: 'beta' },
        ],
      },
    ];
    const planned = await plan(subjectOf(), [install('a'), install('b')], materialsOf(projects));
    expect(planned.put.map(({ version }) => version)).toEqual(['a1', 'b2']);
    const kept = await plan(
      subjectOf(afterwards(emptyList, await plan(subjectOf(), [install('a', 'a2')], materialsOf(projects)))),
      [{ do: 'update-all' }],
      materialsOf(projects),
    );
    expect(kept.lines).toEqual([]);
  });

  // Guarantee: a fix for an older line is no update; it can be chosen, and the plan names it.
  test('to update stays on its line', async () => {
    const versions = [{ id: '2.0.0' }, { id: '0.5.9' }];
    const projects: SampleProject[] = [{ id: 'a', versions }];
    const there = await serverWith([{ id: 'a', versions: ['2.0.0'] }], 'a');
    for (const wish of [{ do: 'update-all' }, { do: 'update', key: 'modrinth:a', version: null }] as const)
      expect(told(await plan(subjectOf(there), [wish], materialsOf(projects)))).toEqual({
        lines: [],
        faults: ['OTHER_LINE a 0.5.9'],
      });
    const chosen: ChangeWish = { do: 'update', key: 'modrinth:a', version: '0.5.9' };
    expect(told(await plan(subjectOf(there), [chosen], materialsOf(projects)))).toEqual({
      lines: ['update a 2.0.0 0.5.9 -'],
      faults: [],
    });
  });

  // Guarantee: an unreachable source is never mistaken for one that has nothing.
  test.each([
    ['away', '!SOURCE_AWAY'],
    ['limited', '!SOURCE_LIMITED'],
    ['no-key', '!SOURCE_NO_KEY'],
    ['key-refused', '!SOURCE_KEY_REFUSED'],
  ] as const)('to a source that is %s blocks the plan', async (state, fault) => {
    const failed = { failed: { source: 'modrinth', state, againAt: null } } as const;
    const materials = materialsOf([]);
    const sources = { ...materials.sources, modrinth: sampleSource('modrinth', [], failed) };
    const planned = await plan(subjectOf(), [install('app')], { ...materials, sources });
    expect(told(planned).faults).toEqual([`${fault} app -`]);
    expect(planned.sources).toEqual([failed.failed]);
  });
});

describe('conflicts', () => {
  const hater: SampleProject = {
    id: 'hater',
    versions: [{ id: 'hater1', dependencies: [{ kind: 'incompatible', project: 'lib', version: null }] }],
  };

  // Guarantee: it does not matter which of the two declares it, nor which was first.
  test.each([
    ['lib', 'hater'],
    ['hater', 'lib'],
  ])('%s is there, %s is wished', async (there, wished) => {
    const list = await serverWith([lib, hater], there);
    const planned = await plan(subjectOf(list), [install(wished)], materialsOf([lib, hater]));
    expect(told(planned).faults).toEqual(['!CONFLICT hater lib']);
  });

  test('two with the same file, by name or by bytes', async () => {
    const hashes = { sha1: 'a'.repeat(40) };
    const projects: SampleProject[] = [
      { id: 'a', versions: [{ id: 'a1', fileName: 'Mod.jar' }] },
      { id: 'b', versions: [{ id: 'b1', fileName: 'mod.JAR' }] },
      { id: 'c', versions: [{ id: 'c1', hashes }] },
    ];
    const curseforge = [{ id: '7', name: 'other', versions: [{ id: '70', hashes }] }];
    const wishes: ChangeWish[] = [
      install('a'),
      install('b'),
      install('c'),
      { do: 'install', source: 'curseforge', project: '7', version: null },
    ];
    expect(told(await plan(subjectOf(), wishes, materialsOf(projects, { curseforge }))).faults).toEqual([
      '!SAME_FILE b a',
      '!SAME_FILE other c',
    ]);
  });

  test('the same mod from two sources; a dependency is met by either', async () => {
    const curseforge = [{ id: '7', name: 'lib', versions: ['70'] }];
    const fromCurseforge: ChangeWish = { do: 'install', source: 'curseforge', project: '7', version: null };
    const materials = materialsOf([lib, app], { curseforge });
    const list = afterwards(emptyList, await plan(subjectOf(), [fromCurseforge], materials));
    expect(told(await plan(subjectOf(list), [install('lib')], materials)).faults).toEqual([
      '!SAME_FILE lib lib (curseforge)',
    ]);
    expect(told(await plan(subjectOf(list), [install('app')], materials))).toEqual({
      lines: ['add app - app1 -'],
      faults: [],
    });
  });

  test('a file that is not ours lies at its place', async () => {
    const list = { ...emptyList, found: [foundFile('mods/LIB-lib1.jar')] };
    expect(told(await plan(subjectOf(list), [install('lib')], materialsOf([lib]))).faults).toEqual([
      '!FILE_IN_THE_WAY lib -',
    ]);
  });

  test('no room on the disk', async () => {
    const list = { ...emptyList, freeBytes: 9 };
    expect(told(await plan(subjectOf(list), [install('lib')], materialsOf([lib]))).faults).toEqual([
      '!NO_ROOM - -',
    ]);
  });
});

describe('updates', () => {
  const newer = [
    { id: 'lib', versions: ['lib1', 'lib2'] },
    {
      id: 'app',
      versions: [
        { id: 'app1', needs: ['lib'] },
        { id: 'app2', needs: ['lib', 'core'] },
      ],
    },
    { id: 'core', versions: ['core1'] },
  ];

  test('all at once, with what they require newly, and their changelogs', async () => {
    const list = await serverWith([lib, app], 'app');
    const planned = await plan(subjectOf(list), [{ do: 'update-all' }], materialsOf(newer));
    expect(told(planned)).toEqual({
      lines: ['update lib lib1 lib2 -', 'add core - core1 app', 'update app app1 app2 -'],
      faults: [],
    });
    expect(planned.lines.map(({ changelog }) => changelog)).toEqual([
      'What is new in lib2',
      null,
      'What is new in app2',
    ]);
  });

  test('a pinned mod is only told of among all, and stands in the way when it is named', async () => {
    const list = await serverWith([lib, app], 'app');
    const subject = subjectOf(list, { pins: new Map([['modrinth:lib', { reason: 'breaks farms' }]]) });
    const all = await plan(subject, [{ do: 'update-all' }], materialsOf(newer));
    expect(told(all)).toEqual({
      lines: ['add core - core1 app', 'update app app1 app2 -'],
      faults: ['PINNED lib lib2'],
    });
    const one: ChangeWish = { do: 'update', key: 'modrinth:lib', version: null };
    const planned = await plan(subject, [one], materialsOf(newer));
    expect(planned.put).toEqual([]);
    expect(planned.faults).toMatchObject([{ code: 'PINNED', isBlocking: true, detail: 'breaks farms' }]);
  });

  test('a file that a person has to fetch is only told of among all, and taken when it was fetched', async () => {
    const sha1 = 'a'.repeat(40);
    const before = [{ id: '7', name: 'Closed', versions: ['70'] }];
    const after = [
      { id: '7', name: 'Closed', versions: ['70', { id: '71', isByHand: true, hashes: { sha1 } }] },
    ];
    const wish: ChangeWish = { do: 'install', source: 'curseforge', project: '7', version: null };
    const list = afterwards(
      emptyList,
      await plan(subjectOf(), [wish], materialsOf([], { curseforge: before })),
    );
    const all = await plan(subjectOf(list), [{ do: 'update-all' }], materialsOf([], { curseforge: after }));
    expect(told(all)).toEqual({ lines: [], faults: ['BY_HAND Closed -'] });
    const file: ModFile = { name: 'x.jar', bytes: 1, hashes: { sha1 }, from: { kind: 'api', id: 'up1' } };
    const fetched: ChangeWish = {
      do: 'install-upload',
      upload: 'clx0000000000000000000000',
      for: { project: '7', version: '71' },
    };
    const upload = async () => ({ file, sha1, content: { is: 'unknown', why: 'not looked into' } as const });
    const materials = materialsOf([], { curseforge: after, upload });
    expect(told(await plan(subjectOf(list), [{ do: 'update-all' }, fetched], materials))).toEqual({
      lines: ['update Closed 70 71 -'],
      faults: [],
    });
  });

  test('a mod that its source has no more stays, and is told of', async () => {
    const list = await serverWith([lib, app], 'app');
    const left = newer.filter(({ id }) => id !== 'lib');
    const unneeding = left.map((project) =>
      project.id === 'app' ? { id: 'app', versions: ['app1', 'app3'] } : project,
    );
    expect(told(await plan(subjectOf(list), [{ do: 'update-all' }], materialsOf(unneeding)))).toEqual({
      lines: ['update app app1 app3 -'],
      faults: ['PROJECT_GONE lib -'],
    });
  });
});

describe('removal', () => {
  test('of what another needs is refused, of both it is not', async () => {
    const list = await serverWith([lib, app], 'app');
    const removal = (key: string): ChangeWish => ({ do: 'remove', key });
    const refused = await plan(subjectOf(list), [removal('modrinth:lib')], materialsOf([lib, app]));
    expect(told(refused).faults).toEqual(['!STILL_NEEDED lib app']);
    const wishes = [removal('modrinth:lib'), removal('modrinth:app')];
    const planned = await plan(subjectOf(list), wishes, materialsOf([lib, app]));
    expect(planned).toMatchObject({ faults: [], put: [], remove: ['modrinth:lib', 'modrinth:app'] });
  });

  // Guarantee: an unreachable source does not keep people from removing a mod; the files say what they need.
  test('works without the source, by what the files tell', async () => {
    const failed = { failed: { source: 'modrinth', state: 'away', againAt: null } } as const;
    const bare = await serverWith([lib, { id: 'app', versions: ['app1'] }], 'lib', 'app');
    const metadata = (id: string, requires: string[]): ModMetadata => ({
      id,
      name: id,
      version: '1',
      authors: [],
      loaders: ['fabric'],
      side: 'both',
      requires,
      breaks: [],
    });
    const list = {
      ...bare,
      installed: bare.installed.map((mod) => ({
        ...mod,
        metadata: metadata(mod.name, mod.name === 'app' ? ['lib'] : []),
      })),
    };
    const materials = materialsOf([]);
    const sources = { ...materials.sources, modrinth: sampleSource('modrinth', [], failed) };
    const away = { ...materials, sources };
    const ofLib = await plan(subjectOf(list), [{ do: 'remove', key: 'modrinth:lib' }], away);
    expect(told(ofLib).faults).toEqual(['SOURCE_AWAY - -', '!STILL_NEEDED lib app']);
    const ofApp = await plan(subjectOf(list), [{ do: 'remove', key: 'modrinth:app' }], away);
    expect(told(ofApp)).toEqual({ lines: ['remove app app1 - -'], faults: ['SOURCE_AWAY - -'] });
  });
});

test('a set brings its mods with what they require, and takes the others off when it shall', async () => {
  const other: SampleProject = { id: 'other', versions: ['other1'] };
  const list = await serverWith([other, lib], 'other', 'lib');
  const item = { source: 'modrinth', project: 'app', name: 'app', version: null, versionName: null } as const;
  const materials = materialsOf([app, lib, other], { set: async () => ({ name: 'Set', items: [item] }) });
  const wish = (removeOthers: boolean): ChangeWish => ({
    do: 'set',
    set: 'clx0000000000000000000000',
    removeOthers,
  });
  expect(told(await plan(subjectOf(list), [wish(false)], materials)).lines).toEqual(['add app - app1 -']);
  expect(told(await plan(subjectOf(list), [wish(true)], materials))).toEqual({
    lines: ['add app - app1 -', 'remove other other1 - -'],
    faults: [],
  });
});

test('an undone job leaves the set from before', async () => {
  const before = await serverWith([lib, app], 'app');
  const newer = [
    { id: 'lib', versions: ['lib1', 'lib2'] },
    {
      id: 'app',
      versions: [
        { id: 'app1', needs: ['lib'] },
        { id: 'app2', needs: ['lib', 'core'] },
      ],
    },
    { id: 'core', versions: ['core1'] },
  ];
  const updated = await plan(subjectOf(before), [{ do: 'update-all' }], materialsOf(newer));
  const list = afterwards(before, updated);
  const materials = materialsOf(newer, {
    before: async () => ({ put: before.installed, remove: ['modrinth:core'] }),
  });
  const undo: ChangeWish = { do: 'undo', job: 'clx0000000000000000000000' };
  const planned = await plan(subjectOf(list), [undo], materials);
  expect(told(planned)).toEqual({
    lines: ['update lib lib2 lib1 -', 'update app app2 app1 -', 'remove core core1 - -'],
    faults: [],
  });
});
