import { describe, expect, test } from 'vitest';
import type { ChangeWish } from '#contracts/mods/mods.ts';
import type { InspectedMod, ModFile, ModMetadata } from '#contracts/servers/agent-mods.ts';
import { plan, subjectOf, told } from '../testing/planning.ts';
import { afterwards, emptyList, foundFile, materialsOf, type SampleProject } from '../testing/sample-mods.ts';
import type { PlanMaterials } from './plan.ts';

const content = (mod: Partial<ModMetadata>): InspectedMod['content'] => ({
  is: 'mods',
  mods: [
    {
      id: 'own',
      name: 'Own',
      version: '1',
      authors: [],
      loaders: ['fabric'],
      side: 'both',
      requires: [],
      breaks: [],
      ...mod,
    },
  ],
});
const inspected = (mod: Partial<ModMetadata>): InspectedMod => ({
  bytes: 30,
  sha512: 'c'.repeat(128),
  sha1: 'd'.repeat(40),
  fingerprint: 1,
  content: content(mod),
});

describe('own files', () => {
  const address: ChangeWish = { do: 'install-address', url: 'https://mods.example/files/own%20mod?v=1' };

  test('at an address are what the agent found in them', async () => {
    const materials = materialsOf([], { inspect: async () => inspected({}) });
    const planned = await plan(subjectOf(), [address], materials);
    expect(planned.put).toMatchObject([
      {
        key: 'address:own',
        name: 'Own',
        folder: 'mods',
        file: { name: 'own mod.jar', bytes: 30, hashes: { sha512: 'c'.repeat(128) } },
      },
    ]);
    const list = afterwards(emptyList, planned);
    expect((await plan(subjectOf(list), [address], materials)).lines).toEqual([]);
  });

  test.each([
    ['of another loader', inspected({ loaders: ['forge'] }), '!WRONG_GAME own mod -'],
    ['for players only', inspected({ side: 'client' }), 'CLIENT_ONLY own mod -'],
    [
      'with nothing in them',
      { ...inspected({}), content: { is: 'unknown', why: 'a page' } },
      '!NOT_A_MOD own mod -',
    ],
    ['that cannot be had', { why: 'the address answers 404' }, '!NOT_A_MOD own mod -'],
    [
      'that need what nothing brings',
      inspected({ requires: ['minecraft', 'lib'] }),
      'DEPENDENCY_GONE lib Own',
    ],
  ] as const)('%s', async (_, answer, fault) => {
    const materials = materialsOf([], { inspect: async () => answer as InspectedMod });
    expect(told(await plan(subjectOf(), [address], materials)).faults).toEqual([fault]);
  });

  const closed: SampleProject = {
    id: '7',
    name: 'Closed',
    versions: [{ id: '70', isByHand: true, hashes: { sha1: 'a'.repeat(40) } }],
  };
  const uploadOf = (sha1: string): Partial<PlanMaterials> => {
    const file: ModFile = {
      name: 'download (1).jar',
      bytes: 10,
      hashes: { sha1 },
      from: { kind: 'api', id: 'up1' },
    };
    return { upload: async () => ({ file, sha1, content: content({}) }) };
  };
  const byHand: ChangeWish = {
    do: 'install-upload',
    upload: 'clx0000000000000000000000',
    for: { project: '7', version: '70' },
  };

  test('that a person has to fetch block until the right one is there', async () => {
    const wish: ChangeWish = { do: 'install', source: 'curseforge', project: '7', version: null };
    const asked = await plan(subjectOf(), [wish], materialsOf([], { curseforge: [closed] }));
    expect(asked.faults).toMatchObject([
      {
        code: 'BY_HAND',
        isBlocking: true,
        page: 'https://source.example/7/70',
        fileName: '7-70.jar',
        sha1: 'a'.repeat(40),
        project: '7',
        version: '70',
      },
    ]);
    const wrong = materialsOf([], { curseforge: [closed], ...uploadOf('b'.repeat(40)) });
    expect(told(await plan(subjectOf(), [byHand], wrong)).faults).toEqual(['!HASH_WRONG Closed -']);
    const right = materialsOf([], { curseforge: [closed], ...uploadOf('a'.repeat(40)) });
    const planned = await plan(subjectOf(), [wish, byHand], right);
    expect(planned.faults).toEqual([]);
    expect(planned.put).toMatchObject([
      { key: 'curseforge:7', version: '70', file: { name: '7-70.jar', from: { kind: 'api', id: 'up1' } } },
    ]);
  });

  test('that lie there become ours, as the mod of a source or as they are', async () => {
    const hashes = { sha512: 'e'.repeat(128) };
    const projects = [{ id: 'lib', versions: [{ id: 'lib1', hashes }] }];
    const found = [foundFile('mods/mine.jar', hashes.sha512), foundFile('mods/x.jar', 'f'.repeat(128))];
    const list = { ...emptyList, found };
    const wishes = found.map(({ path }): ChangeWish => ({ do: 'adopt', path }));
    const planned = await plan(subjectOf(list), wishes, materialsOf(projects));
    expect(planned.faults).toEqual([]);
    expect(planned.adopt).toMatchObject([
      { path: 'mods/mine.jar', item: { key: 'modrinth:lib', version: 'lib1', file: { name: 'mine.jar' } } },
      { path: 'mods/x.jar', item: { source: 'upload', file: null, name: 'x.jar' } },
    ]);
    expect(planned.put).toEqual([]);
  });
});
