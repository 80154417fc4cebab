import { expect, test } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { UnreadableSettingsError } from '../settings-file.ts';
import { palworldSettings } from './settings-file.ts';

const file = (options: string) =>
  Buffer.from(`[/Script/Pal.PalGameWorldSettings]\r\nOptionSettings=(${options})\r\n`);
const usual =
  'Difficulty=None,ServerName="Default, (Palworld) Server",AdminPassword="a\\"b",CrossplayPlatforms=(Steam,Xbox),RESTAPIEnabled=False,RESTAPIPort=8212,LogFormatType=Text';
const console = { port: 8300, password: new Secret('p"w') };

test('reads its console', () => {
  const { isOn, port, password } = palworldSettings.read(file(usual));
  expect({ isOn, port, password: password.reveal() }).toEqual({ isOn: false, port: 8212, password: 'a"b' });
  expect(palworldSettings.read(file('RESTAPIEnabled=true'))).toMatchObject({ isOn: true, port: 8212 });
  expect(palworldSettings.read(file(''))).toMatchObject({ isOn: false });
});

// Guarantee: turning the console on changes nothing else.
test('turns its console on', () => {
  const changed = palworldSettings.turnOn(file(usual), console);
  expect(changed.toString()).toBe(
    file(usual)
      .toString()
      .replace('"a\\"b"', '"p\\"w"')
      .replace('Enabled=False', 'Enabled=True')
      .replace('8212', '8300'),
  );
  const added = palworldSettings.turnOn(file('Difficulty=None'), console);
  expect(added.toString()).toBe(
    file('Difficulty=None,RESTAPIEnabled=True,RESTAPIPort=8300,AdminPassword="p\\"w"').toString(),
  );
  expect(palworldSettings.read(palworldSettings.turnOn(file(''), console))).toMatchObject({
    isOn: true,
    port: 8300,
  });
});

// Guarantee: a file that the game itself would not understand is not touched, and its text is in no message.
test.each([
  '',
  'x',
  '[/Script/Pal.PalGameWorldSettings]\n',
  'OptionSettings=(a="secret\n")',
  'OptionSettings=(secret=1',
])('%j is refused', (content) => {
  expect(() => palworldSettings.turnOn(Buffer.from(content), console)).toThrow(UnreadableSettingsError);
  expect(() => palworldSettings.read(Buffer.from(content))).not.toThrow(/secret/);
});
