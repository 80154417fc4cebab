import { expect, test } from 'vitest';
import { commandLineText } from './command-line-text.ts';
import { elevatedCommand, elevationOutcome } from './elevation.ts';
import { grantCommands, revokeCommands } from './folder-rights.ts';
import { installationFault } from './per-machine.ts';
import { serviceAccount, serviceSid } from './service-account.ts';

const home = 'C:\\ProgramData\\Castellan';

// Guarantee: rights go to the account that Windows gives the service, named by a number that no language changes.
test("a service's account by number", () => {
  // As every Windows shows it, for a service that every Windows has.
  expect(serviceSid('TrustedInstaller')).toBe(
    'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
  );
  expect(serviceAccount('Castellan-API')).toBe('NT SERVICE\\Castellan-API');
});

// Guarantee: neither the bot nor the database may read the stack's settings or each other's; only the database may write its data
// beside the API.
test('what each service may touch', () => {
  const grants = grantCommands(home);
  const pathsOf = (sid: string) =>
    grants.filter((command) => command[2]?.includes(sid)).map(([path]) => path);
  const bot = serviceSid('Castellan-Bot');
  expect(pathsOf(bot)).toEqual([home, `${home}\\services\\bot`, `${home}\\logs`]);
  expect(pathsOf(serviceSid('Castellan-Postgres'))).toEqual([
    home,
    `${home}\\services\\postgres`,
    `${home}\\logs`,
    `${home}\\postgres`,
  ]);
  // To the folder alone, not to what lies in it.
  expect(grants).toContainEqual([home, '/grant:r', `*${bot}:RX`]);
  expect(grants.flat().join(' ')).not.toMatch(/S-1-1-0|S-1-5-11|S-1-5-32-545/);
  expect(revokeCommands(home).map(([path, , sid]) => [path, sid])).toEqual(
    grants.map(([path, , right]) => [path, right?.slice(0, right.indexOf(':'))]),
  );
});

const programs = 'C:\\Program Files\\Castellan';
const installation = { home, programsFolder: programs, node: `${programs}\\node.exe` };

// Guarantee: no service runs a file that an ordinary account could replace, or works in a folder that services cannot see.
test('services come of a per-machine installation only', () => {
  const fault = (changes: Partial<typeof installation>) =>
    installationFault({ ...installation, ...changes }, ['C:\\Program Files']);
  expect(fault({})).toBeNull();
  expect(fault({ programsFolder: 'c:\\program files\\castellan' })).toBeNull();
  expect(fault({ programsFolder: 'C:\\Users\\eva\\AppData\\Local\\Castellan' })).toContain('for all users');
  expect(fault({ programsFolder: 'C:\\Program Files\\..\\Users\\eva' })).toContain('for all users');
  expect(fault({ programsFolder: 'C:\\Program Files (x86)\\Castellan' })).toContain('for all users');
  expect(fault({ node: 'D:\\node.exe' })).toContain('D:\\node.exe');
  expect(fault({ home: '\\\\nas\\share\\Castellan' })).toContain('a disk of this machine');
  // Windows would start the service on another folder.
  expect(fault({ home: 'D:\\%Temp%\\Castellan' })).toContain('percent signs');
  expect(fault({ home: 'D:\\100% Castellan' })).toBeNull();
});

// Guarantee: what runs with an administrator's rights is exactly what was asked for, whatever letters its paths have; a refusal
// is told from a failure.
test('asking for an administrator', () => {
  const args = ['--home', "D:\\Eva's l’équipe ü", 'services', 'install'];
  const script = Buffer.from(elevatedCommand('C:\\a b\\node.exe', args).at(-1) ?? '', 'base64').toString(
    'utf16le',
  );
  expect(script).toContain(`$info.Arguments = '--home "D:\\Eva''s l’’équipe ü" services install'`);
  expect(commandLineText('x', args)).toContain(`--home "D:\\Eva's l’équipe ü" services install`);
  expect(script).toContain('"runas"');
  expect([0, 1, 740, 1223].map(elevationOutcome)).toEqual(['done', 'failed', 'impossible', 'refused']);
});
