import { expect, test } from 'vitest';
import { machineFacts } from '#contracts/servers/agent-tasks.ts';
import { Secret } from '#runtime/secret.ts';
import { machineFactsOf } from './machine-facts.ts';
import { maskArguments } from './mask-arguments.ts';

// Guarantee: no password in a command line is shown, however it is written; everything else is.
test.each([
  [['./srv', '-port=1', '-adminpassword=geheim'], './srv -port=1 -adminpassword=***'],
  [['./srv', '--rcon-password', 'geheim', '--port', '1'], './srv --rcon-password *** --port 1'],
  [
    ['./ark', 'TheIsland?listen?ServerAdminPassword=geheim?Port=7777?ServerPassword=geheim'],
    './ark TheIsland?listen?ServerAdminPassword=***?Port=7777?ServerPassword=***',
  ],
  [
    ['rust', '+rcon.password', 'geheim', '+server.port', '28015'],
    'rust +rcon.password *** +server.port 28015',
  ],
  [['srcds', '+sv_setsteamaccount', 'geheim'], 'srcds +sv_setsteamaccount ***'],
  [['java', '-Dtoken=geheim', '-jar', 'my server.jar'], 'java -Dtoken=*** -jar "my server.jar"'],
  [['x', 'API_KEY=geheim', 'known-value'], 'x API_KEY=*** ***'],
  [['x', '-passive', 'shown'], 'x -passive shown'],
  [['./ark', 'Map?ServerAdminPassword="ge?heim"?Port=1'], './ark Map?ServerAdminPassword=***?Port=1'],
  [['sh', '-c', `RCON_PASSWORD="geheim"x ./run`], 'sh -c RCON_PASSWORD=***'],
  [['x', '-password=ge,he;im&x'], 'x -password=***'],
  [['x', '-ServerAdminPassword=ge heim', '-log'], 'x -ServerAdminPassword=*** -log'],
  [['x', '-adminpw=geheim', '-Drcon.pw=geheim', '-pw', 'geheim'], 'x -adminpw=*** -Drcon.pw=*** -pw ***'],
  [['x', '-hook=https://discord.com/api/webhooks/1/geheim'], 'x -hook=https://discord.com/***'],
  [['x', 'https://me:geheim@example.com'], 'x https://***@example.com'],
])('%j', (command, shown) => {
  expect(maskArguments(command, ['known-value', ''])).toBe(shown);
});

// Guarantee: the facts fit their contract, even when nothing is configured about the server, and contain no secret.
test('facts', () => {
  const config = {
    game: 'palworld',
    logFile: null,
    secret: new Secret('secret-of-the-agent'),
    console: consoleOf('pw-of-the-console'),
  } as const;
  const server = {
    folder: '/srv/ark',
    start: { by: 'holder', command: ['./ark', 'Map?x=pw-of-the-console'], account: 'steam' },
    allow: { power: true, files: false, mods: false },
  } as const;
  const facts = machineFactsOf({ ...config, server }, {});
  expect(machineFacts.parse(facts)).toMatchObject({
    startMethod: 'holder',
    startDetail: './ark Map?x=***',
    account: 'steam',
    readsLog: true,
  });
  expect(machineFacts.parse(machineFactsOf({ ...config, server: null }, {}))).toMatchObject({
    startMethod: 'none',
    folder: null,
    allows: { power: false },
    readsLog: false,
  });
});

// Guarantee: an agent that sees none of the game's lines says so, since no chat reaches it.
test.each([
  ['palworld', null, false],
  ['palworld', '/srv/pal.log', true],
  ['seven-days-to-die', null, true],
] as const)('the lines of %s with the log %s', (game, logFile, readsLog) => {
  const facing = { game, logFile, secret: new Secret('x'), console: consoleOf('y'), server: null };
  expect(machineFactsOf(facing, {})).toMatchObject({ readsLog });
});

const consoleOf = (password: string) => ({ host: '127.0.0.1', port: 1, password: new Secret(password) });
