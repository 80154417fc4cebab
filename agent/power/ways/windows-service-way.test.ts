import { expect, test } from 'vitest';
import { openWindowsServiceWay, readService, readServiceProgram } from './windows-service-way.ts';

/** Output of Windows's `sc queryex`; the words are translated, the numbers are not. */
const printed = (state: number, { exit = 0, own = 0, pid = 0 } = {}) => `
SERVICE_NAME: dead 
        TYPE               : 10  WIN32_OWN_PROCESS  
        STATE              : ${state}  X 
                                (STOPPABLE, NOT_PAUSABLE, ACCEPTS_SHUTDOWN)
        WIN32_EXIT_CODE    : ${exit}  (0x${exit.toString(16)})
        SERVICE_EXIT_CODE  : ${own}  (0x${own.toString(16)})
        CHECKPOINT         : 0x0
        WAIT_HINT          : 0x0
        PID                : ${pid}
        FLAGS              : 
`;

// Guarantee: states are read by their numbers; an orderly stop is told from a crash.
test.each([
  [printed(4, { pid: 1234 }), { is: 'running', pid: 1234 }],
  [printed(2), { is: 'changing', to: 'running' }],
  [printed(3), { is: 'changing', to: 'stopped' }],
  [printed(1), { is: 'ended', wasStopped: true }],
  [printed(1, { exit: 1067 }), { is: 'ended', wasStopped: false, exit: { code: 1067 } }],
  [printed(1, { exit: 1066, own: 3 }), { is: 'ended', wasStopped: false, exit: { code: 3 } }],
  [printed(1, { exit: 1077 }), { is: 'absent' }],
  [printed(7), { is: 'unknown' }],
  ['', { is: 'unknown' }],
])('state %#', (text, expected) => {
  expect(readService(text.replaceAll('\n', '\r\n'))).toMatchObject(expected);
});

// Guarantee: a refusal by Windows is reported with its remedy; a state that is already reached is not a refusal.
test('refusals', async () => {
  const answering = (code: number) =>
    openWindowsServiceWay('7dtd', async () => {
      throw Object.assign(new Error(), { code });
    });
  expect(await answering(1056).start('launch')).toBe(null);
  expect(await answering(1062).stop()).toBe(null);
  expect(await answering(5).start('launch')).toEqual({
    detail: expect.stringContaining('administrator'),
    program: null,
  });
  expect(await answering(1060).look()).toMatchObject({
    is: 'unknown',
    detail: expect.stringContaining('no such service'),
  });
});

// Guarantee: a service whose program Windows cannot start is no crash, by Windows's number, whatever the reason in its words; the
// program is found in any language and with or without quotes.
test('a service whose program is not there', async () => {
  const printed = (path: string) =>
    `[SC] QueryServiceConfig ERFOLG\r\n\r\nSERVICE_NAME: 7dtd\r\n        TYP                : 10  WIN32_OWN_PROCESS\r\n        FEHLERSTEUERUNG    : 1   NORMAL\r\n        BINÄRER PFADNAME   : ${path}\r\n        GRUPPE             :\r\n        ANZEIGENAME        : 7 Days: C\r\n`;
  expect(readServiceProgram(printed('"C:\\Program Files\\7 Days\\server.exe" -log'))).toBe(
    'C:\\Program Files\\7 Days\\server.exe',
  );
  expect(readServiceProgram(printed('D:\\Games\\a b\\server.EXE -x y.exe'))).toBe(
    'D:\\Games\\a b\\server.EXE',
  );
  expect(readServiceProgram(printed(''))).toBeNull();
  const answering = (code: number) =>
    openWindowsServiceWay('7dtd', async (_program, [verb]) => {
      if (verb === 'qc') return printed('');
      throw Object.assign(new Error(), { code });
    });
  for (const code of [2, 3, 193, 216])
    expect(await answering(code).start('launch')).toMatchObject({
      detail: expect.stringContaining('7dtd'),
      program: { code: 'service-program', values: ['7dtd'] },
    });
});
