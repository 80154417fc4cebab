import { expect, onTestFinished, test } from 'vitest';
import { modsPlan } from '#contracts/mods/mods.ts';
import { modsChange } from '#contracts/servers/agent-mods.ts';
import { systemClock } from '#runtime/clock.ts';
import { Secret } from '#runtime/secret.ts';
import { fabricMod, modrinthPack } from '#simulators/mod-sources/mod-files.ts';
import { openModSources } from '#simulators/mod-sources/mod-sources.ts';
import { planChange } from '../../server/mods/plan/plan-change.ts';
import { createModSources } from '../../server/mods/sources/mod-sources.ts';
import { emptyList, materialsOf } from '../../server/mods/testing/sample-mods.ts';

const { signal } = new AbortController();

// Guarantee: the sources' real answers become a plan that the agent and the panel can read, with addresses of files with exactly
// those hashes.
test('wishes at two sources become a plan, and its files can be downloaded', async () => {
  const world = await openModSources();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { catalogue } = world;
  catalogue.put({
    source: 'modrinth',
    id: 'P7dR8mSH',
    slug: 'fabric-api',
    name: 'Fabric API',
    versions: [{ id: 'fapi0001', content: await fabricMod({ id: 'fabric-api', version: '1' }) }],
  });
  catalogue.put({
    source: 'modrinth',
    id: 'gvQqBUqZ',
    slug: 'lithium',
    name: 'Lithium',
    versions: [
      {
        id: 'lith0001',
        content: await fabricMod({ id: 'lithium', version: '1' }),
        dependencies: [{ kind: 'required', version: 'fapi0001' }],
      },
    ],
  });
  catalogue.put({ source: 'modrinth', id: 'AANobbMI', name: 'Sodium', serverSide: 'unsupported' });
  catalogue.put({
    source: 'modrinth',
    id: 'PACK0001',
    name: 'A pack',
    type: 'modpack',
    versions: [
      {
        id: 'pack0001',
        fileName: 'pack.mrpack',
        content: await modrinthPack({
          name: 'A pack',
          version: '1',
          dependencies: { minecraft: '1.21.1', 'fabric-loader': '0.16.9' },
          files: [],
        }),
      },
    ],
  });
  catalogue.put({
    source: 'curseforge',
    id: '238222',
    name: 'JEI',
    versions: [{ id: '4001', gameVersions: ['1.21.1', 'Fabric', 'Server'] }],
  });
  const sources = createModSources({
    urls: { modrinth: world.modrinthUrl, curseforge: world.curseforgeUrl, steam: world.steamUrl },
    curseforgeKey: async () => new Secret(world.curseforgeKey),
    log: { warn: () => undefined },
    clock: systemClock,
  });
  const install = (source: 'modrinth' | 'curseforge', project: string) =>
    ({ do: 'install', source, project, version: null }) as const;
  const planned = await planChange(
    {
      game: 'minecraft',
      list: emptyList,
      pins: new Map(),
      byName: 'Ann',
      proven: null,
      dependencies: new Set<string>(),
    },
    [
      install('modrinth', 'gvQqBUqZ'),
      install('modrinth', 'AANobbMI'),
      install('modrinth', 'PACK0001'),
      install('curseforge', '238222'),
    ],
    { ...materialsOf([]), sources },
    signal,
  );

  expect(planned.lines.map(({ name, neededBy }) => [name, neededBy])).toEqual([
    ['Fabric API', 'Lithium'],
    ['Lithium', null],
    ['A pack', null],
    ['JEI', null],
  ]);
  expect(planned.faults.map(({ code, isBlocking, mod }) => [code, isBlocking, mod])).toEqual([
    ['CLIENT_ONLY', false, 'Sodium'],
  ]);
  expect(planned.sources).toEqual([]);
  modsChange.pick({ put: true, remove: true, adopt: true }).parse(planned);
  modsPlan.pick({ lines: true, faults: true, downloadBytes: true }).parse(planned);

  for (const { file } of planned.put) {
    if (file?.from.kind !== 'address') throw new Error('no address');
    const headers = file.from.key ? { 'x-api-key': world.curseforgeKey } : undefined;
    const answer = await fetch(file.from.url, headers ? { headers } : {});
    const content = Buffer.from(await answer.arrayBuffer());
    const known = catalogue.fileAt(new URL(file.from.url).pathname);
    expect(content.length).toBe(file.bytes);
    expect([known?.sha1, known?.sha512]).toEqual([file.hashes.sha1, file.hashes.sha512 ?? known?.sha512]);
  }
});
