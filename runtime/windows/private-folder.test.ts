import { expect, test } from 'vitest';
import { closeToOthers } from './private-folder.ts';

const own = 'S-1-5-21-1004336348-1177238915-682003330-1001';

// Guarantee: the folder inherits no permissions any more and is open only to our account, the system and the administrators, named
// by number, so that it works on a Windows of any language.
test('a folder is closed to other accounts', async () => {
  const calls: string[][] = [];
  await closeToOthers('C:\\ProgramData\\Castellan', async (program, args) => {
    calls.push([program, ...args]);
    return program === 'whoami.exe' ? `"büro\\S-1-5-name","${own}"\r\n` : '';
  });
  expect(calls.at(-1)).toEqual([
    'icacls.exe',
    'C:\\ProgramData\\Castellan',
    '/inheritance:r',
    '/grant:r',
    `*${own}:(OI)(CI)F`,
    '*S-1-5-18:(OI)(CI)F',
    '*S-1-5-32-544:(OI)(CI)F',
  ]);
});

// Guarantee: if our own account is unknown, we do not lock ourselves out, and do not report the folder as closed either.
test('an account that cannot be found out is a failure', async () => {
  const calls: string[] = [];
  const silent = async (program: string) => {
    calls.push(program);
    return '';
  };
  await expect(closeToOthers('C:\\x', silent)).rejects.toThrow(/whoami/);
  expect(calls).toEqual(['whoami.exe']);
});
