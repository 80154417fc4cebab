import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandLineText, splitCommandLine } from '#runtime/windows/command-line-text.ts';
import { homeOfServiceCommand, isSameWindowsPath, serviceCommand } from './service-command.ts';

const installation = {
  home: 'D:\\Spiele Ünïcode\\Castellan',
  programsFolder: 'C:\\Program Files\\Castellan',
  node: 'C:\\Program Files\\Castellan\\node.exe',
};

// Guarantee: whatever a path contains, Windows hands the program exactly the arguments that we meant.
test('arguments survive the command line', () => {
  const argument = fc.stringMatching(/^[\\" \tA-Zäß日.-]*$/);
  fc.assert(
    fc.property(fc.array(argument), (args) => {
      expect(splitCommandLine(commandLineText('C:\\a b\\c.exe', args))).toEqual(['C:\\a b\\c.exe', ...args]);
    }),
  );
});

// Guarantee: a program's path with spaces is quoted, so that no C:\Program.exe is started in its place.
test('the service host stands in quotes', () => {
  expect(serviceCommand('api', installation)).toMatch(
    /^"C:\\Program Files\\Castellan\\service-host\.exe" run /,
  );
});

// Guarantee: a service of ours tells which data folder it works on; another program's never counts as ours.
test('whose service it is', () => {
  for (const component of ['postgres', 'api', 'bot'] as const)
    expect(homeOfServiceCommand(serviceCommand(component, installation))).toBe(installation.home);
  for (const other of [
    '',
    'C:\\Windows\\notepad.exe',
    '"C:\\x.exe" --home C:\\home',
    '"C:\\x.exe" --home C:\\home services install',
    'C:\\x.exe services run api',
  ])
    expect(homeOfServiceCommand(other)).toBeNull();
});

test('the same folder in other letters', () => {
  expect(isSameWindowsPath('C:\\ProgramData\\Castellan', 'c:\\programdata\\castellan\\')).toBe(true);
  expect(isSameWindowsPath('C:\\ProgramData\\Castellan', 'C:\\ProgramData\\Castellan2')).toBe(false);
});
