import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { arkAscendedSettings, arkEvolvedSettings } from './ark/settings-file.ts';
import { minecraftSettings } from './minecraft/settings-file.ts';
import type { SettingsFile } from './settings-file.ts';
import { sevenDaysSettings } from './seven-days-to-die/settings-file.ts';

const read = (file: SettingsFile, content: Buffer | string) => {
  const { isOn, port, password } = file.read(Buffer.from(content as string));
  return [isOn, port, password.reveal()];
};
const turnOn = (file: SettingsFile, content: Buffer | string, port = 25_599, password = 'pass-word_1') =>
  file.turnOn(Buffer.from(content as string), { port, password: new Secret(password) });
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

const properties =
  '#Minecraft server properties\r\n#Mon Nov 23\r\nmotd=A § Server\r\nenable-rcon=false\r\nrcon.port=25575\r\nrcon.password=\r\nmax-players=20';
const ini =
  '[/Script/Engine.GameSession]\nMaxPlayers=70\n\n[ServerSettings]\n; RCONPort=1\nSessionName=My = ARK\nRCONEnabled=False\nRCONPort=27020\nServerAdminPassword=old pass\n\n[MessageOfTheDay]\nRCONPort=9\n';
const xml = `<?xml version="1.0"?>\r\n<ServerSettings>\r\n\t<!-- <property name="TelnetPort" value="1"/> -->\r\n\t<property name="ServerName" value="My &amp; Host"/> <!-- "any" -->\r\n\t<property value='false' name='TelnetEnabled' />\r\n\t<property name="TelnetPort"\t\t\tvalue="8081"/>\r\n\t<property name="TelnetPassword" value=""/>\r\n</ServerSettings>\r\n`;

// Guarantee: real forms of each game's file are read as the game reads them.
describe('reading', () => {
  test.each<[string, SettingsFile, Buffer | string, unknown[]]>([
    ['properties', minecraftSettings, properties, [false, 25_575, '']],
    [
      'separators',
      minecraftSettings,
      'enable-rcon : true\nrcon.port 25580\n  rcon.password=\\u00e9\\ a\\\n   b',
      [true, 25_580, 'é ab'],
    ],
    [
      'the last of two',
      minecraftSettings,
      'enable-rcon=false\nrcon.password=a\nenable-rcon=true\n',
      [true, 25_575, 'a'],
    ],
    ['on without a password is off', minecraftSettings, 'enable-rcon=true\n', [false, 25_575, '']],
    ['UTF-8', minecraftSettings, 'rcon.password=ключ', [false, 25_575, 'ключ']],
    ['ISO 8859-1', minecraftSettings, Buffer.from('rcon.password=é', 'latin1'), [false, 25_575, 'é']],
    ['a mark', minecraftSettings, '\uFEFF#c\nenable-rcon=true\nrcon.password=x', [true, 25_575, 'x']],
    ['no port', minecraftSettings, 'rcon.port=99999\n', [false, 25_575, '']],
    ['ini', arkEvolvedSettings, ini, [false, 27_020, 'old pass']],
    [
      'UTF-16',
      arkAscendedSettings,
      utf16('[ServerSettings]\r\nRCONEnabled=True\r\nServerAdminPassword="ключ \\"x"\r\n'),
      [true, 27_020, 'ключ "x'],
    ],
    [
      'two sections',
      arkEvolvedSettings,
      '[serversettings]\nrconenabled=1\n[X]\n[ServerSettings]\nRconPort = 27021 \n',
      [true, 27_021, ''],
    ],
    ['xml', sevenDaysSettings, xml, [false, 8081, '']],
    [
      'entities',
      sevenDaysSettings,
      '<ServerSettings><property name="TelnetEnabled" value="True"/><property name="TelnetPassword" value="a&quot;&#233;&amp;"/></ServerSettings>',
      [true, 8081, 'a"é&'],
    ],
    [
      'UTF-16 xml',
      sevenDaysSettings,
      utf16('<ServerSettings><property name="TelnetPassword" value="ключ"/></ServerSettings>'),
      [false, 8081, 'ключ'],
    ],
  ])('%s', (_, file, content, expected) => {
    expect(read(file, content)).toEqual(expected);
  });
});

// Guarantee: an empty file, half a file, or one that is not text is refused with a message that contains nothing of it.
test.each<[string, SettingsFile, Buffer | string]>([
  ['empty', minecraftSettings, ''],
  ['binary', arkEvolvedSettings, Buffer.from([1, 0, 2, 0, 0, 3])],
  ['half a letter', arkEvolvedSettings, utf16('[ServerSettings]').subarray(0, 9)],
  ['half a tag', sevenDaysSettings, xml.slice(0, 200)],
  ['no end', sevenDaysSettings, xml.slice(0, -20)],
  ['half a comment', sevenDaysSettings, '<ServerSettings><!-- secret'],
])('%s', (_, file, content) => {
  expect(() => read(file, content)).toThrow(/^it /);
  expect(() => turnOn(file, content)).toThrow(/^it (?!.*secret)/);
});

// Guarantee: turning the console on changes the three values and not a byte elsewhere.
describe('turning on', () => {
  test('properties', () => {
    expect(turnOn(minecraftSettings, properties).toString()).toBe(
      properties
        .replace('=false', '=true')
        .replace('25575', '25599')
        .replace('password=', 'password=pass-word_1'),
    );
  });
  test('what is missing is added in the file’s own line breaks', () => {
    expect(turnOn(minecraftSettings, 'a=b\r\nmotd=x').toString()).toBe(
      'a=b\r\nmotd=x\r\nenable-rcon=true\r\nrcon.port=25599\r\nrcon.password=pass-word_1\r\n',
    );
    expect(turnOn(arkEvolvedSettings, '[ServerSettings]\r\nX=1').toString()).toBe(
      '[ServerSettings]\r\nRCONEnabled=True\r\nRCONPort=25599\r\nServerAdminPassword=pass-word_1\r\nX=1',
    );
    expect(turnOn(arkEvolvedSettings, '[Other]').toString()).toBe(
      '[Other]\n[ServerSettings]\nRCONEnabled=True\nRCONPort=25599\nServerAdminPassword=pass-word_1\n',
    );
    expect(turnOn(sevenDaysSettings, '<ServerSettings>\n</ServerSettings>').toString()).toContain(
      '<property name="TelnetPassword" value="pass-word_1"/>\n</ServerSettings>',
    );
  });
  test('ini', () => {
    const changed = ini
      .replace('=False', '=True')
      .replace('27020', '25599')
      .replace('old pass', 'pass-word_1');
    expect(turnOn(arkEvolvedSettings, ini).toString()).toBe(changed);
    expect(turnOn(arkEvolvedSettings, utf16(`${ini}Ж`)).equals(utf16(`${changed}Ж`))).toBe(true);
  });
  test('every one of several equal keys', () => {
    const twice = '[ServerSettings]\nRCONPort=1\nRCONPort=2\n[serversettings]\nRCONPort=3\n';
    expect(turnOn(arkEvolvedSettings, twice).toString()).not.toMatch(/RCONPort=[123]\n/);
  });
  test('xml', () => {
    expect(turnOn(sevenDaysSettings, xml).toString()).toBe(
      xml
        .replace("value='false'", "value='true'")
        .replace('8081', '25599')
        .replace('Password" value=""', 'Password" value="pass-word_1"'),
    );
  });
  test('what is on already stays byte for byte', () => {
    for (const [file, content] of [
      [minecraftSettings, properties],
      [arkEvolvedSettings, ini],
      [sevenDaysSettings, xml],
    ] as const) {
      const once = turnOn(file, content);
      expect(turnOn(file, once).equals(once)).toBe(true);
    }
  });
});

// Guarantee: the command line, which the games obey first, is read.
test('command lines', () => {
  expect(arkEvolvedSettings.overrides(['TheIsland?listen?RCONEnabled=True?RCONPort=27025', '-log'])).toEqual({
    isOn: true,
    port: 27_025,
  });
  expect(sevenDaysSettings.overrides(['-TelnetPort=8085', '-telnetenabled=false'])).toEqual({
    port: 8085,
    isOn: false,
  });
});

const noise = {
  minecraft: fc.constantFrom(
    '#c=1',
    '! rcon.port=3',
    '',
    '  ',
    'a=b\\',
    ' rcon.portx=4',
    'x\\:y : z',
    'motd=\\u00A7l §',
    'rcon.port',
    'enable-rcon=False',
    'rcon.password=\\=\\u0041',
  ),
  ark: fc.constantFrom(
    '[ServerSettings]',
    '[serversettings] ',
    '[Other]',
    ';RCONPort=2',
    'RCONPort=9',
    'rconenabled = false ',
    'ServerAdminPassword="a b"',
    'Ж=1',
    '',
    'ConfigOverrideItem=(A="[ServerSettings]")',
  ),
  xml: fc.constantFrom(
    '<property name="TelnetPort" value="1"/>',
    '<!-- <property name="TelnetPort" value="2"/> -->',
    "<property value = 'x>y' name='Other'/>",
    '<property name="TelnetEnabled" value="FALSE"></property>',
    'text &amp; more',
    '<![CDATA[<property]]>',
    '<?pi <?>',
    'Ж',
  ),
};
const password = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => !/[\p{C}"\\]/u.test(text) && text === text.trim());
const newline = fc.constantFrom('\n', '\r\n');
const cases: readonly [string, SettingsFile, fc.Arbitrary<string>][] = [
  [
    'minecraft',
    minecraftSettings,
    fc.tuple(fc.array(noise.minecraft), newline).map(([lines, end]) => `${lines.join(end)}${end}k=v`),
  ],
  [
    'ark',
    arkEvolvedSettings,
    fc.tuple(fc.array(noise.ark), newline).map(([lines, end]) => `;${end}${lines.join(end)}`),
  ],
  [
    'xml',
    sevenDaysSettings,
    fc
      .tuple(fc.array(noise.xml), newline)
      .map(([lines, end]) => `<ServerSettings>${end}${lines.join(end)}</ServerSettings>`),
  ],
];

// Guarantee: whatever the file contains, afterwards it has the requested settings; repeating a change changes nothing, and a change
// that is reverted leaves every byte.
test.each(cases)('any %s file', (_, file, content) => {
  fc.assert(
    fc.property(
      content,
      password,
      fc.integer({ min: 1, max: 65_535 }),
      fc.boolean(),
      (text, secret, port, wide) => {
        const before = wide && file !== minecraftSettings ? utf16(text) : Buffer.from(text);
        const after = turnOn(file, before, port, secret);
        expect(read(file, after)).toEqual([true, port, secret]);
        expect(turnOn(file, after, port, secret).equals(after)).toBe(true);
        const there = turnOn(file, after, 1 + (port % 65_535), `${secret}x`);
        expect(turnOn(file, there, port, secret).equals(after)).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});

// Guarantee: no file, however crafted, takes long or fails without a readable message.
test('hostile files', () => {
  const many = (text: string) => text.repeat(Math.ceil(2_000_000 / text.length));
  const files = [
    many('\\'),
    many(' '),
    many('a'),
    many('<'),
    many('<a '),
    many('='),
    many('["'),
    many('&#'),
    `<ServerSettings>${many('<!--')}`,
    many('\\\n'),
  ];
  for (const file of [minecraftSettings, arkEvolvedSettings, sevenDaysSettings])
    for (const content of files) {
      try {
        turnOn(file, content);
      } catch (error) {
        expect((error as Error).name).toBe('UnreadableSettingsError');
      }
    }
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
      for (const file of [minecraftSettings, arkEvolvedSettings, sevenDaysSettings]) {
        try {
          file.read(Buffer.from(bytes));
        } catch (error) {
          expect((error as Error).name).toBe('UnreadableSettingsError');
        }
      }
    }),
    { numRuns: 3000 },
  );
});
