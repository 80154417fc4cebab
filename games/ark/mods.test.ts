import { expect, test } from 'vitest';
import { inspectFiles } from '../testing/inspect-files.ts';
import { arkEvolvedMods } from './mods.ts';

const { ids } = arkEvolvedMods;
if (ids?.at !== 'settings') throw new Error('Survival Evolved reads its mods from its settings');

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const bytes = (text: string) => Buffer.from(text, 'utf8');

// Guarantee: the list is found in every encoding and line ending of the file, and only in its section.
test.each([
  ['plain', bytes('[ServerSettings]\nActiveMods=731604991,924619115\n'), ['731604991', '924619115']],
  [
    'line ends of Windows',
    bytes('[ServerSettings]\r\nActiveMods=731604991\r\nRCONPort=1\r\n'),
    ['731604991'],
  ],
  [
    'UTF-16',
    utf16('[ServerSettings]\r\nactivemods = "731604991, 924619115"\r\n'),
    ['731604991', '924619115'],
  ],
  ['twice the same id', bytes('[serversettings]\nActiveMods=1,2,1,\n'), ['1', '2']],
  ['another section', bytes('[ModInstaller]\nActiveMods=1\n[ServerSettings]\nx=1\n'), []],
  ['a comment', bytes('[ServerSettings]\n;ActiveMods=1\n'), []],
  ['an empty list', bytes('[ServerSettings]\nActiveMods=\n'), []],
  ['the last of two lines', bytes('[ServerSettings]\nActiveMods=1\nActiveMods=2\n'), ['2']],
])('%s', (_, content, expected) => {
  expect(ids.read(content)).toEqual(expected);
});

test('what is no list of ids is refused', () => {
  expect(() => ids.read(bytes('[ServerSettings]\nActiveMods=S+\n'))).toThrow('"S+", which is no id');
  expect(() => ids.read(bytes(''))).toThrow('empty');
  expect(() => ids.write(bytes('[ServerSettings]\n'), ['1\nServerAdminPassword=x'])).toThrow('is no id');
});

// Guarantee: everything but the list stays byte for byte.
test.each([
  [
    'another list',
    '[ServerSettings]\r\nActiveMods=1\r\nMOTD=Grüße\r\n',
    '[ServerSettings]\r\nActiveMods=5,6\r\nMOTD=Grüße\r\n',
  ],
  ['a first list', '[A]\nb=1\n[ServerSettings]\nc=2\n', '[A]\nb=1\n[ServerSettings]\nActiveMods=5,6\nc=2\n'],
  ['no section yet', '[A]\nb=1', '[A]\nb=1\n[ServerSettings]\nActiveMods=5,6\n'],
  [
    'two lines',
    '[ServerSettings]\nActiveMods=1\nActiveMods=5,6\n',
    '[ServerSettings]\nActiveMods=5,6\nActiveMods=5,6\n',
  ],
])('%s', (_, before, after) => {
  expect(ids.write(bytes(before), ['5', '6']).toString('utf8')).toBe(after);
  expect(ids.write(utf16(before), ['5', '6'])).toEqual(utf16(after));
  expect(ids.read(ids.write(bytes(before), ['5', '6']))).toEqual(['5', '6']);
});

test('an empty list takes the ids away, and makes none where there is none', () => {
  expect(ids.write(bytes('[ServerSettings]\nActiveMods=1,2\nx=1\n'), []).toString()).toBe(
    '[ServerSettings]\nActiveMods=\nx=1\n',
  );
  const without = bytes('[ServerSettings]\nx=1\n');
  expect(ids.write(without, [])).toBe(without);
  const same = bytes('[ServerSettings]\nActiveMods=1,2\n');
  expect(ids.write(same, ['1', '2'])).toBe(same);
});

// Guarantee: a list that the game would not read is never reported as installed.
test('the start command', () => {
  expect(ids.ignoredBecause(['TheIsland?listen', '-server', '-AutoManagedMods'])).toBeNull();
  expect(ids.ignoredBecause(['TheIsland?listen', '-server'])).toContain('-automanagedmods');
  expect(ids.ignoredBecause(['TheIsland?listen?gamemodids=1,2', '-automanagedmods'])).toContain('GameModIds');
});

test('a game that takes ids takes no archive', async () => {
  expect((await inspectFiles({ 'a.txt': '' }, 'ark-se')).content).toMatchObject({ is: 'unknown' });
});
