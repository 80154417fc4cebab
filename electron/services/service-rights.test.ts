import { expect, test } from 'vitest';
import { serviceSid } from '#runtime/windows/service-sid.ts';
import { grantCommands, revokeCommands } from './folder-rights.ts';
import { installationFault } from './per-machine.ts';
import { serviceAccount } from './service-account.ts';

const home = 'C:\\ProgramData\\Castellan';

// Guarantee: permissions go to the account that Windows gives the service, named by a number that no language changes.
test("a service's account by number", () => {
  // As every Windows shows it, for a service that every Windows has.
  expect(serviceSid('TrustedInstaller')).toBe(
    'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
  );
  expect(serviceAccount('Castellan-API')).toBe('NT SERVICE\\Castellan-API');
});

const logFiles = ['api.log', 'bot.log', 'bot.log.12', 'robot.log', 'bot.log.bak', 'service-bot.log'];

// Guarantee: neither the bot nor the database may read the stack's settings or each other's; only the database may write its data
// beside the API; of the logs, each of them writes only its own.
test('what each service may touch', () => {
  const grants = grantCommands(home, logFiles);
  const pathsOf = (sid: string) =>
    grants.filter((command) => command[2]?.includes(sid)).map(([path]) => path);
  const bot = serviceSid('Castellan-Bot');
  const logFolders = [`${home}\\logs`, `${home}\\logs\\service-host`];
  const ownLogs = ['bot.log', 'bot.log.12', 'service-bot.log'].map((name) => `${home}\\logs\\${name}`);
  expect(pathsOf(bot)).toEqual([home, `${home}\\services\\bot`, ...logFolders, ...ownLogs]);
  for (const path of logFolders) {
    const [right = ''] = grants
      .filter(([of, , who]) => of === path && who?.includes(bot))
      .map((each) => each[2]);
    // New files, and nothing of existing ones: no inheritance, no deleting of another service's files.
    expect(right).toMatch(/:\(RD,X,REA,RA,RC,S,WD\)$/);
  }
  expect(grants).toContainEqual([`${home}\\logs`, '/grant:r', '*S-1-3-0:(OI)(CI)(IO)M']);
  expect(pathsOf(serviceSid('Castellan-Postgres'))).toEqual([
    home,
    `${home}\\services\\postgres`,
    ...logFolders,
    `${home}\\postgres`,
  ]);
  // On the folder alone, not on its contents.
  expect(grants).toContainEqual([home, '/grant:r', `*${bot}:RX`]);
  expect(grants.flat().join(' ')).not.toMatch(/S-1-1-0|S-1-5-11|S-1-5-32-545/);
  expect(revokeCommands(home, logFiles).map(([path, , sid]) => [path, sid])).toEqual(
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
