import { win32 } from 'node:path';
import { expect, test } from 'vitest';
import { commandLineText, splitCommandLine } from '#runtime/windows/command-line-text.ts';
import { type ElevatedAct, elevatedArguments, readElevatedArguments } from './elevated-act.ts';
import { elevatedCalls, elevatedEnv } from './elevated-calls.ts';
import { programFilesIn, windowsRootIn } from './windows-folders.ts';

const programs = 'C:\\Program Files\\Castellan\\resources\\programs';
const system = 'C:\\Windows\\System32';
const wire = '0123456789abcdef'.repeat(4);
const services: ElevatedAct = {
  act: 'services',
  change: 'install',
  home: "D:\\Eva's l’équipe --home=x ü\\",
  wire,
  user: 'Eva Größe ليلى 🏰',
};
const acts: readonly ElevatedAct[] = [
  services,
  { ...services, change: 'restart', component: 'bot' },
  { act: 'firewall', open: 3001, close: [] },
  { act: 'firewall', open: null, close: [3001, 65_535] },
  { act: 'update', folder: 'C:\\Users\\eva\\AppData\\Roaming\\Castellan\\updates\\kept', version: '1.2.3' },
];

// Guarantee: what runs with an administrator's rights is exactly what was asked for, whatever letters its paths have, through
// Windows's own command line.
test.each(acts)('the act comes back as it went: %o', (act) => {
  const line = commandLineText('C:\\x\\Castellan.exe', elevatedArguments(act));
  expect(readElevatedArguments(splitCommandLine(line).slice(1))).toEqual(act);
});

// Guarantee: only a fixed list of acts is performed, each with everything that it needs and nothing else.
test.each([
  ['another act', ['--elevated=run', '--program=cmd.exe']],
  ['no act', ['--elevated=']],
  ['a change that there is not', [...elevatedArguments(services), '--change=wipe']],
  ['said twice', [...elevatedArguments(services), '--user=mallory']],
  ['something besides', [...elevatedArguments(services), '--port=1']],
  ['a switch of Chromium', [...elevatedArguments(services), '--no-sandbox']],
  ['a loose word', [...elevatedArguments(services), 'calc.exe']],
  ['a relative folder', elevatedArguments({ ...services, home: 'home' })],
  ['a quote in a folder', elevatedArguments({ ...services, home: 'C:\\a" --x="b' })],
  ['a line break in a name', elevatedArguments({ ...services, user: 'eva\nb' })],
  ['another pipe', elevatedArguments({ ...services, wire: '..\\elsewhere' })],
  ['a port that there is not', ['--elevated=firewall', '--open=70000']],
  ['no number', ['--elevated=firewall', '--open=3001 program=x']],
  ['a number in disguise', ['--elevated=firewall', '--open=0x10']],
  ['too many ports', elevatedArguments({ act: 'firewall', open: null, close: Array<number>(21).fill(80) })],
  ['no version', ['--elevated=update', '--folder=C:\\x', '--version=..\\..']],
  ['an update without its version', ['--elevated=update', '--folder=C:\\x']],
  ['ports for an update', ['--elevated=update', '--folder=C:\\x', '--version=1.2.3', '--open=80']],
])('refused: %s', (_why, args) => {
  expect(readElevatedArguments(args)).toBe('refused');
});

// Guarantee: the desktop itself, started as usual, is no elevated act.
test('no act at all', () => {
  expect(readElevatedArguments([])).toBe('none');
  expect(readElevatedArguments(['--hidden', '--quit'])).toBe('none');
});

// Guarantee: an act runs our own programs of this installation and Windows's own netsh, by their full paths.
test('what is run', () => {
  const all = acts.flatMap((act) => elevatedCalls(act, programs, system));
  for (const { program, args } of all) {
    expect([win32.join(programs, 'node.exe'), win32.join(system, 'netsh.exe')]).toContain(program);
    if (program.endsWith('node.exe')) expect(args[0]).toBe(win32.join(programs, 'castellan.mjs'));
  }
  const [restart] = elevatedCalls({ ...services, change: 'restart', component: 'bot' }, programs, system);
  expect(restart?.args.slice(1)).toEqual([
    ...['--home', services.home, 'services', 'for-desktop', 'restart', wire],
    ...['--user', services.user, '--component', 'bot'],
  ]);
  const rules = elevatedCalls({ act: 'firewall', open: 3001, close: [] }, programs, system);
  // A rule that was not there is no failure; one that was not added is.
  expect(rules.map(({ mayFail }) => mayFail)).toEqual([true, true, false]);
  expect(rules.every(({ timeoutMs }) => timeoutMs !== null)).toBe(true);
});

// Guarantee: no variable of an account makes its own code run with an administrator's rights, or says where Windows and its
// programs are.
test('the environment', () => {
  const env = elevatedEnv(
    {
      NODE_OPTIONS: '--require=x',
      PATH: 'C:\\evil',
      CASTELLAN_HOME: 'D:\\x',
      SystemRoot: 'D:\\evil',
      SystemDrive: 'D:',
      ProgramFiles: 'D:\\evil',
      ProgramW6432: 'D:\\evil',
      TEMP: 'D:\\evil',
      TMP: 'D:\\evil',
      USERNAME: 'ann',
    },
    { root: 'C:\\Windows', programFiles: 'C:\\Program Files' },
  );
  expect(env).toEqual({
    PATH: 'C:\\Windows\\System32',
    SystemRoot: 'C:\\Windows',
    SystemDrive: 'C:',
    ProgramFiles: 'C:\\Program Files',
    ProgramW6432: 'C:\\Program Files',
    TEMP: 'C:\\Windows\\Temp',
    TMP: 'C:\\Windows\\Temp',
    USERNAME: 'ann',
  });
});

// Guarantee: only the value of what the registry's program prints is used, and only if it is a full path.
test('where programs are installed', () => {
  const printed = (value: string) =>
    `\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\r\n    ${value}\r\n\r\n`;
  expect(programFilesIn(printed('ProgramFilesDir    REG_SZ    C:\\Program Files'))).toBe('C:\\Program Files');
  for (const value of ['ProgramFilesDir    REG_SZ    Programs', 'ProgramFilesDirX    REG_SZ    C:\\x', ''])
    expect(programFilesIn(printed(value))).toBeNull();
});

// Guarantee: Windows's folder is taken from the library that the kernel itself loads, and from nothing with the same name.
test('where Windows is', () => {
  expect(windowsRootIn(['C:\\Castellan\\Castellan.exe', 'D:\\WINNT\\SYSTEM32\\ntdll.dll'])).toBe('D:\\WINNT');
  for (const path of [
    'C:\\Castellan\\ntdll.dll',
    'C:\\a\\system32\\ntdll.dll.exe',
    '\\\\there\\system32\\ntdll.dll',
  ])
    expect(windowsRootIn([path])).toBeNull();
});
