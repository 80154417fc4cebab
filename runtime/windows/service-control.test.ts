import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readExportedText } from './registry-export.ts';
import { ServiceRefusedError, windowsServices } from './service-control.ts';
import { stateOfQuery } from './service-state.ts';

const english = `
SERVICE_NAME: Castellan-API
        TYPE               : 10  WIN32_OWN_PROCESS
        STATE              : 4  RUNNING
                                (STOPPABLE, NOT_PAUSABLE, ACCEPTS_SHUTDOWN)
        WIN32_EXIT_CODE    : 0  (0x0)
`.replaceAll('\n', '\r\n');
/** The labels in another language, in which the code page of the console lost a letter. */
const french = english
  .replace('STATE  ', '\uFFFDTAT   ')
  .replace('TYPE', 'GENRE')
  .replace('RUNNING', 'EN COURS');

// Guarantee: a service's state is read from Windows's numbers, in whatever language its words are.
test('states by number', () => {
  expect(stateOfQuery(english)).toBe('running');
  expect(stateOfQuery(french)).toBe('running');
  const states = { 1: 'stopped', 2: 'starting', 3: 'stopping', 7: 'paused' };
  for (const [number, state] of Object.entries(states))
    expect(stateOfQuery(english.replace(': 4 ', `: ${number} `))).toBe(state);
});

// Guarantee: why a service has ended is read by position, too; an end in order and one of its own say nothing of Windows's.
test.for([
  [1067, 1067],
  [1053, 1053],
  [0, null],
  [1066, null],
  [1077, null],
] as const)('the end %i', async ([code, told]) => {
  const ended = french.replace(': 0  (0x0)', `: ${code}  (0x${code.toString(16)})`);
  const control = windowsServices(async () => ended.replace(': 4 ', ': 1 '));
  expect(await control.lastExit('Castellan-API')).toBe(told);
});

// Guarantee: an answer without information never counts as "no such service": the service's name would be given away, or its
// program's database opened twice.
test.each(['', 'words, and no number at all\r\n', english.replace(': 4 ', ': 9 ')])('%j', async (printed) => {
  expect(() => stateOfQuery(printed)).toThrow(/cannot be read/);
  const control = windowsServices(async () => printed);
  await expect(control.state('Castellan-API')).rejects.toThrow(/cannot be read/);
});

/** A Windows on which sc exits with this code. */
const answering = (code: number) =>
  windowsServices(async () => {
    throw Object.assign(new Error('words in any language'), { code });
  });

// Guarantee: a state that is already reached is not a failure; faults that a person can fix are told apart by Windows's numbers for them.
test('exit codes', async () => {
  await answering(1056).start('Castellan-API');
  await answering(1062).stop('Castellan-API');
  await answering(1060).delete('Castellan-API');
  expect(await answering(1060).state('Castellan-API')).toBe('absent');
  const create = (code: number) =>
    answering(code)
      .create('Castellan-API', 'x', 'y')
      .catch((error: ServiceRefusedError) => error.reason);
  expect(await create(5)).toBe('needs-elevation');
  expect(await create(1072)).toBe('marked-for-deletion');
  expect(await create(1073)).toBe('exists');
  expect(await create(87)).toBe('failed');
  await expect(answering(1060).start('Castellan-API')).rejects.toThrow(ServiceRefusedError);
});

// Guarantee: a refusal says what happened, what to do, the number and what was asked (PowerShell/Win32-OpenSSH#846: a service that
// Windows does not start was "Windows answers 1069").
test.for([
  [1069, 'Log on as a service'],
  [1053, '30 seconds'],
  [1385, 'secpol.msc'],
  [1058, 'services.msc'],
  [1067, 'Read its log'],
] as const)('refused with %i', async ([code, remedy]) => {
  const refused = answering(code).start('Castellan-API');
  await expect(refused).rejects.toThrow(remedy);
  await expect(refused).rejects.toThrow(`Windows answered ${code} to: sc start Castellan-API`);
  await expect(refused).rejects.toMatchObject({ answer: { asked: 'sc start Castellan-API', code } });
});

// Guarantee: the services start delayed, depend on nothing, run under their own account, and Windows restarts a host that died.
test('what sc is told', async () => {
  const calls: (readonly string[])[] = [];
  const control = windowsServices(async (program, args) => {
    calls.push([program, ...args]);
    return '';
  });
  await control.create('Castellan-API', '"C:\\host.exe" run', 'NT SERVICE\\Castellan-API');
  await control.recover('Castellan-API');
  expect(calls).toEqual([
    [
      ...['sc.exe', 'create', 'Castellan-API', 'binPath=', '"C:\\host.exe" run', 'start=', 'delayed-auto'],
      ...['obj=', 'NT SERVICE\\Castellan-API', 'DisplayName=', 'Castellan-API'],
    ],
    [
      ...['sc.exe', 'failure', 'Castellan-API', 'reset=', '86400'],
      ...['actions=', 'restart/2000/restart/10000/restart/60000'],
    ],
  ]);
});

const command = '"C:\\Program Files\\日本\\host.exe" --home "D:\\Spiele ü" services run api';

/** Text as Windows's reg writes it when it may hold variables. */
const expandable = (text: string): string => {
  const bytes = [...Buffer.from(`${text}\0`, 'utf16le')].map((byte) => byte.toString(16).padStart(2, '0'));
  const rows: string[] = [];
  for (let at = 0; at < bytes.length; at += 25) rows.push(bytes.slice(at, at + 25).join(','));
  return `"ImagePath"=hex(2):${rows.join(',\\\r\n  ')}`;
};
const exported = (line: string): Buffer =>
  Buffer.from(
    `\uFEFFWindows Registry Editor Version 5.00\r\n\r\n[HKEY_LOCAL_MACHINE\\X]\r\n"Type"=dword:00000010\r\n${line}\r\n"Z"="z"\r\n`,
    'utf16le',
  );

// Guarantee: the command line of a service is read whole, in any script, from either kind of text that the registry stores.
test('the command line out of the registry', async () => {
  const plain = `"ImagePath"="${command.replace(/[\\"]/g, '\\$&')}"`;
  expect(readExportedText(exported(plain), 'ImagePath')).toBe(command);
  expect(readExportedText(exported(expandable(command)), 'imagepath')).toBe(command);
  expect(readExportedText(exported(plain), 'Other')).toBeNull();

  const control = windowsServices(async (_program, args) => {
    await writeFile(args[2] ?? '', exported(plain));
    return '';
  });
  expect(await control.command('Castellan-API')).toBe(command);

  // reg exits with 1 for anything it cannot do; only sc can tell that there is no such service.
  const withoutKey = (query: () => Promise<string>) =>
    windowsServices(async (program) => {
      if (program === 'sc.exe') return query();
      throw Object.assign(new Error('words in any language'), { code: 1 });
    });
  const unknown = () => Promise.reject(Object.assign(new Error('words'), { code: 1060 }));
  expect(await withoutKey(unknown).command('Castellan-API')).toBeNull();
  await expect(withoutKey(async () => english).command('Castellan-API')).rejects.toThrow(/cannot be read/);
});
