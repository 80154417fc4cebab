import { describe, expect, test } from 'vitest';
import { type Files, inspectFiles } from '../testing/inspect-files.ts';

const modInfo = (name: string, version = '1.0') =>
  `<?xml version="1.0" encoding="UTF-8"?>\r\n<xml>\r\n  <Name value="${name}"/>\r\n  <DisplayName value="${name} &amp; more" />\r\n  <Version value="${version}" />\r\n  <Author value="Ada" />\r\n</xml>`;
const oldModInfo = (name: string) =>
  `<xml><ModInfo><Name value="${name}" /><Description value="d" /><Author value="Bo" /><Version value="0.1" /></ModInfo></xml>`;

describe('an archive for 7 Days to Die', () => {
  const inspect = (files: Files) => inspectFiles(files, 'seven-days-to-die');

  test.each([
    ['with the folder of the mod', 'War3zuk/'],
    ['with the folder Mods', 'Mods/War3zuk/'],
    ['nested one level deeper', 'download-main/Mods/War3zuk/'],
  ])('%s', async (_, folder) => {
    const { content, placements, leftOut } = await inspect({
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
    const { placements } = await inspect({ 'modinfo.XML': oldModInfo('Old Mod'), 'Config/a.xml': '' });
    expect(placements.map(({ path }) => path)).toEqual([
      'Mods/Old Mod/ModInfo.xml',
      'Mods/Old Mod/Config/a.xml',
    ]);
  });

  test('with several mods of both formats', async () => {
    const { content } = await inspect({
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
    const { content, placements } = await inspect(files);
    expect(content).toMatchObject({ is: 'unknown' });
    expect(placements).toEqual([]);
  });

  test.each(['A/', ''])(
    'with a mod within one at “%s” installs the outer one, and the inner one if chosen',
    async (root) => {
      const files = {
        [`${root}ModInfo.xml`]: modInfo('A'),
        [`${root}Config/a.xml`]: '',
        [`${root}Optional/B/ModInfo.xml`]: modInfo('B'),
        [`${root}Optional/B/Config/b.xml`]: '',
      };
      const part = { path: `${root}Optional/B`, name: 'B & more' };
      const alone = await inspect(files);
      expect(alone.content).toMatchObject({ is: 'folders', folders: [{ name: 'A' }], parts: [part] });
      expect(alone.placements.map(({ path }) => path)).toEqual(['Mods/A/ModInfo.xml', 'Mods/A/Config/a.xml']);
      expect(alone.leftOut).toEqual([`${root}Optional/B/ModInfo.xml`, `${root}Optional/B/Config/b.xml`]);
      const both = await inspectFiles(files, 'seven-days-to-die', [part.path]);
      expect(both.placements.map(({ path }) => path)).toEqual([
        'Mods/A/ModInfo.xml',
        'Mods/A/Config/a.xml',
        'Mods/B/ModInfo.xml',
        'Mods/B/Config/b.xml',
      ]);
    },
  );

  test('with colliding names leaves the later one out, and says so', async () => {
    const files = { 'A/ModInfo.xml': modInfo('A'), 'A/x.xml': '', 'A/X.xml': '' };
    const { content, leftOut } = await inspect(files);
    expect(content).toMatchObject({ leftOut: [{ path: 'Mods/A/X.xml', why: 'unstorable' }] });
    expect(leftOut).toEqual(['A/X.xml']);
  });
});
