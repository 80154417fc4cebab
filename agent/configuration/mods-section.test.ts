import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { modsConfig, modsSection } from './mods-section.ts';

const configOf = (section: object | undefined, configFolder = '/agent', stateFolder = '/state') =>
  modsConfig(section && modsSection.parse(section), configFolder, stateFolder);

// Guarantee: the servers of an installed agent share one cache; omitted settings have the documented default.
test('defaults', () => {
  expect(configOf(undefined)).toEqual({
    cacheFolder: join('/state', 'mod-files'),
    cacheMegabytes: 5000,
    allowHosts: [],
    steamcmd: null,
  });
  const home = join('/var', 'lib', 'castellan-agent');
  for (const id of ['one', 'two'])
    expect(configOf({}, join(home, 'servers', id)).cacheFolder).toBe(join(home, 'mod-files'));
  expect(configOf({ steamcmd: '../steam/steamcmd.sh' }, '/agent/a').steamcmd).toBe(
    resolve('/agent/steam/steamcmd.sh'),
  );
  expect(configOf({ cacheFolder: '../cache' }, '/agent/a').cacheFolder).toBe(resolve('/agent/cache'));
});

test('hosts are spelled as in addresses', () => {
  expect(configOf({ allowHosts: ['Mirror.Local:8080', '127.1:080', '[::1]:443'] }).allowHosts).toEqual([
    'mirror.local:8080',
    '127.0.0.1:80',
    '[::1]:443',
  ]);
});

// Guarantee: faults are reported in words.
test.each([
  [{ allowHosts: ['mirror.local'] }, 'must be a host with its port, such as "mirror.local:8080"'],
  [{ allowHosts: ['http://mirror.local:80'] }, 'must be a host with its port, such as "mirror.local:8080"'],
  [{ allowHosts: ['a:b@c:80'] }, 'must be a host with its port, such as "mirror.local:8080"'],
  [{ allowHosts: ['mirror.local:70000'] }, 'must be a host with its port, such as "mirror.local:8080"'],
  [{ allowHosts: 'mirror.local:80' }, 'must be a list: ["mirror.local:8080"]'],
  [{ cacheMegabytes: '5000' }, 'must be a whole number from 100 to 10000000, without quotes'],
  [{ cacheMegabytes: 1 }, 'must be a whole number from 100 to 10000000, without quotes'],
  [{ cacheFolder: '' }, 'is empty: leave it out'],
  [{ steamcmd: true }, 'must be the path of steamcmd, in quotes'],
  ['5000', 'must be a group: { "cacheMegabytes": 5000, … }'],
])('a fault: %j', (section, message) => {
  expect(modsSection.safeParse(section).error?.issues.map((issue) => issue.message)).toEqual([message]);
});
