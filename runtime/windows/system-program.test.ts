import { expect, test } from 'vitest';
import { askedOf, SystemProgramError } from './system-program.ts';

// Guarantee: a failure of one of Windows's programs is told by its number, never by the program's words, which are in the language
// and the code page of Windows; a program that was ended because it did not answer says so.
test('failures', () => {
  const failed = (failure: object) =>
    new SystemProgramError(
      'icacls C:\\data',
      failure,
      Object.assign(new Error('Zugriff verweigert'), failure),
    );
  expect(failed({ code: 5 })).toMatchObject({ code: 5, answer: { asked: 'icacls C:\\data', code: 5 } });
  expect(failed({ code: 5 }).message).toContain('denies access');
  expect(failed({ code: 5 }).message).not.toContain('Zugriff');
  expect(failed({ code: 4242 }).message).toBe('Windows answered 4242 to: icacls C:\\data');
  expect(failed({ code: null, killed: true }).message).toContain('does not answer');
  expect(failed({ code: 'ENOENT' })).toMatchObject({ code: 'ENOENT', answer: null });
});

// Guarantee: what was asked is as short as a person would type it.
test('what was asked', () => {
  expect(askedOf('sc.exe', ['start', 'Castellan-API'])).toBe('sc start Castellan-API');
  expect(askedOf('wbem\\wmic.exe', ['process', 'get', 'Name'])).toBe('wmic');
  expect(askedOf('WindowsPowerShell\\v1.0\\powershell.exe', ['-Command', 'x'])).toBe('powershell');
  expect(askedOf('icacls.exe', ['a'.repeat(500)])).toHaveLength(200);
});
