import { describe, expect, test } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { arkAscendedSettings, arkEvolvedSettings } from './ark/settings-file.ts';
import { minecraftSettings } from './minecraft/settings-file.ts';
import type { SettingsFile } from './settings-file.ts';
import { sevenDaysSettings } from './seven-days-to-die/settings-file.ts';

const ini = (isOn: string, port: string, password: string) => [
  '[/Script/Engine.GameSession]',
  '; größer als é – § Server',
  '[ServerSettings]',
  'SessionName=Größe é',
  `RCONEnabled=${isOn}`,
  `RCONPort=${port}`,
  `ServerAdminPassword=${password}`,
  'Message=§ä',
];
const forms: readonly (readonly [string, SettingsFile, (...values: [string, string, string]) => string[]])[] =
  [
    ['ARK: Survival Evolved', arkEvolvedSettings, ini],
    ['ARK: Survival Ascended', arkAscendedSettings, ini],
    [
      '7 Days to Die',
      sevenDaysSettings,
      (isOn, port, password) => [
        '<?xml version="1.0"?>',
        '<ServerSettings>',
        '\t<property name="ServerName" value="Größe é"/> <!-- § – -->',
        `\t<property name="TelnetEnabled" value="${isOn.toLowerCase()}"/>`,
        `\t<property name="TelnetPort" value="${port}"/>`,
        `\t<property name="TelnetPassword" value="${password}"/>`,
        '</ServerSettings>',
        '<!-- ä -->',
      ],
    ],
    [
      'Minecraft',
      minecraftSettings,
      (isOn, port, password) => [
        '#Minecraft server properties – §',
        'motd=Größe é',
        `enable-rcon=${isOn.toLowerCase()}`,
        `rcon.port=${port}`,
        `rcon.password=${password}`,
        'level-name=Wält',
      ],
    ],
  ];

const windows1252 = (text: string) => Buffer.from(text.replaceAll('–', '\x96'), 'latin1');
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a mark': (text) => Buffer.from(`\uFEFF${text}`),
  'Windows-1252': windows1252,
  'UTF-16': utf16,
  'UTF-16, the high byte first': (text) => utf16(text).swap16(),
};
const joins: Readonly<Record<string, (lines: readonly string[]) => string>> = {
  LF: (lines) => `${lines.join('\n')}\n`,
  CRLF: (lines) => `${lines.join('\r\n')}\r\n`,
  'CRLF and LF, no end': (lines) =>
    lines.map((line, index) => (index === 0 ? line : `${index % 2 ? '\r\n' : '\n'}${line}`)).join(''),
};
const cases = forms.flatMap(([game, file, lines]) =>
  Object.entries(encodings).flatMap(([encoding, encode]) =>
    Object.entries(joins).map(([ends, join]) => ({ game, file, lines, encoding, encode, ends, join })),
  ),
);
const console = (password: string) => ({ port: 25_599, password: new Secret(password) });
const isFit = ({ file, encoding }: (typeof cases)[number]) =>
  file !== minecraftSettings || !encoding.startsWith('UTF-16');

// Guarantee: in any encoding and with any line ends of a file, turning the console on changes the three values and not a byte
// elsewhere, and can be read back.
describe('an encoding is kept', () => {
  test.for(cases.filter(isFit))('$game, $encoding, $ends', ({ file, lines, encode, join }) => {
    const before = encode(join(lines('False', '25575', 'old')));
    const after = file.turnOn(before, console('pass-word_1'));
    expect(after.toString('hex')).toBe(encode(join(lines('True', '25599', 'pass-word_1'))).toString('hex'));
    const { isOn, port, password } = file.read(after);
    expect([isOn, port, password.reveal()]).toEqual([true, 25_599, 'pass-word_1']);
  });
});

// Guarantee: a password with a letter of the file's encoding is stored in it; one that the game could not read is refused.
describe('letters of a password', () => {
  test.for(cases.filter(isFit))('$game, $encoding, $ends', ({ file, lines, encode, join }) => {
    const after = file.turnOn(encode(join(lines('False', '25575', 'alt-é'))), console('größer-é'));
    expect(file.read(after).password.reveal()).toBe('größer-é');
    expect(after.includes(encode('Größe é').subarray(encode('').length))).toBe(true);
  });

  test.for(cases.filter((one) => !isFit(one)))('$game, $encoding, $ends', ({ file, lines, encode, join }) => {
    const content = encode(join(lines('False', '25575', 'old')));
    expect(() => file.read(content)).toThrow('UTF-16, which the game cannot read');
    expect(() => file.turnOn(content, console('x'))).toThrow('UTF-16');
  });
});

// Guarantee: a file that ends anywhere, as one that the game is still writing, is refused with a message, or its content so far
// stays byte for byte.
test.for(cases.filter(({ ends }) => ends === 'CRLF').filter(isFit))(
  'half written: $game, $encoding',
  ({ file, lines, encode, join }) => {
    const whole = encode(join(lines('False', '25575', 'old')));
    for (let length = 1; length < whole.length; length += 1) {
      const half = whole.subarray(0, length);
      try {
        const after = file.turnOn(half, console('pass-word_1'));
        expect(file.read(after).password.reveal()).toBe('pass-word_1');
        const name = encode('Größe é').subarray(encode('').length);
        expect(after.includes(name)).toBe(half.includes(name));
      } catch (error) {
        expect(error).toMatchObject({ name: 'UnreadableSettingsError' });
      }
    }
  },
);
