import type { Catalogue } from '#simulators/mod-sources/catalogue.ts';
import { fabricMod } from '#simulators/mod-sources/mod-files.ts';
import { emptyList, foundFile } from '../../server/mods/testing/sample-mods.ts';
import { installedMod } from './mods-panel.ts';

/** Mods of each kind that the panel has to show: with requirements, in conflict, for players only, to be downloaded by hand. */
export const stock = async (catalogue: Catalogue): Promise<void> => {
  catalogue.put({
    source: 'modrinth',
    id: 'P7dR8mSH',
    slug: 'fabric-api',
    name: 'Fabric API',
    summary: 'Lightweight and modular API providing common hooks and intercompatibility measures.',
    author: 'modmuss50',
    license: 'Apache-2.0',
    versions: [{ id: 'fapi0001', content: await fabricMod({ id: 'fabric-api', version: '1' }) }],
  });
  catalogue.put({
    source: 'modrinth',
    id: 'gvQqBUqZ',
    slug: 'lithium',
    name: 'Lithium',
    summary:
      'No-compromises game logic optimization mod, for players and servers alike, without any change of how the game plays.',
    author: 'jellysquid3',
    license: 'LGPL-3.0-only',
    versions: [
      { id: 'lith0001', content: await fabricMod({ id: 'lithium', version: '1.0.0' }) },
      {
        id: 'lith0002',
        changelog: 'Fewer crashes.\n\n- Chunks load faster\n- Hoppers are no longer skipped',
        content: await fabricMod({ id: 'lithium', version: '1.0.1' }),
        dependencies: [{ kind: 'required', project: 'P7dR8mSH' }],
      },
    ],
  });
  catalogue.put({
    source: 'curseforge',
    id: '394468',
    name: 'Sodium',
    summary: 'A modern rendering engine.',
    versions: [{ id: '4002', gameVersions: ['1.21.1', 'Fabric', 'Client'] }],
  });
  catalogue.put({
    source: 'curseforge',
    id: '238222',
    name: 'JEI',
    allowModDistribution: false,
    versions: [{ id: '4001', gameVersions: ['1.21.1', 'Fabric', 'Server'] }],
  });
  catalogue.put({
    source: 'modrinth',
    id: 'C2Me00Id',
    slug: 'c2me',
    name: 'Concurrent Chunk Management Engine for very large worlds',
    summary: 'Improves the chunk performance.',
    versions: [{ id: 'c2me0001', dependencies: [{ kind: 'incompatible', project: 'gvQqBUqZ' }] }],
  });
  catalogue.put({
    source: 'modrinth',
    id: 'OldMod01',
    slug: 'old-lithium-helper',
    name: 'Old Lithium helper',
    versions: [{ id: 'oldm0001', gameVersions: ['1.12.2'] }],
  });
};

/** The older of the mod's versions in the catalogue. */
export const lithium = installedMod('Lithium', {
  key: 'modrinth:gvQqBUqZ',
  source: 'modrinth',
  project: 'gvQqBUqZ',
  version: 'lith0001',
});
/** A server with mods of each kind, and manually added files. */
export const rich = {
  ...emptyList,
  freeBytes: 48_000_000_000,
  installed: [
    lithium,
    installedMod('Chunky', { changedFiles: ['mods/chunky.jar', 'config/chunky.json'], fileCount: 3 }),
    installedMod('voicechat', {
      name: 'Simple Voice Chat, a mod with a name that is long enough for two lines',
    }),
    installedMod('Spark', { source: 'address' }),
  ],
  found: [
    { ...foundFile('mods/own-tweaks-1.0.jar'), bytes: 184_000 },
    {
      ...foundFile('mods/carpet.jar'),
      bytes: 1_200_000,
      metadata: {
        id: 'carpet',
        name: 'Carpet',
        version: '1.4',
        authors: [],
        loaders: [],
        side: null,
        requires: [],
        breaks: [],
      },
    },
  ],
  foundCount: 2,
};
