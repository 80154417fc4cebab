import { describe, expect, test } from 'vitest';
import { type Files, inspectFiles } from '../../testing/inspect-files.ts';

const inspect = (files: Files) => inspectFiles(files, 'minecraft');

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
    // It says nothing of where a mod can load: mods of servers have it, too.
    ['displayTest="IGNORE_ALL_VERSION"', '', null],
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
