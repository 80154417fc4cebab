import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type GameId, gameIds, longestCommand } from '#contracts/servers/games.ts';
import { gameOf, maskForAnyGame } from './games.ts';

// Guarantee: no password of a finished command is stored, and a command without one is stored unchanged.
test.each<[GameId, string, string]>([
  ['ark-se', 'EnableCheats hunter2', 'EnableCheats ***'],
  ['ark-asa', 'cheat enablecheats hunter2', 'cheat enablecheats ***'],
  ['ark-se', 'SetCheatPlayer hunter2', 'SetCheatPlayer ***'],
  ['ark-se', 'open map?ServerAdminPassword=hunter2?x', 'open map?ServerAdminPassword=***?x'],
  ['ark-se', 'Broadcast enablecheats is off', 'Broadcast enablecheats is off'],
  ['ark-se', 'EnableCheats', 'EnableCheats'],
  ['ark-se', 'RequestSpectator hunter2', 'RequestSpectator ***'],
  ['ark-asa', 'cheat ServerPassword hunter2', 'cheat ServerPassword ***'],
  ['palworld', '/AdminPassword hunter2', '/AdminPassword ***'],
  ['seven-days-to-die', 'setgamepref TelnetPassword hunter2', 'setgamepref TelnetPassword ***'],
  ['seven-days-to-die', 'sg "ServerPassword" "hunter 2"', 'sg "ServerPassword" ***'],
  ['seven-days-to-die', 'setgamepref GameDifficulty 2', 'setgamepref GameDifficulty 2'],
  ['seven-days-to-die', 'webtokens add bob hunter2 0', 'webtokens add bob ***'],
  ['seven-days-to-die', 'cp add lp 0', 'cp add lp 0'],
  ['minecraft', 'login hunter2', 'login ***'],
  ['minecraft', '/register hunter2 hunter2', '/register ***'],
  ['minecraft', 'authme:changepassword hunter1 hunter2', 'authme:changepassword ***'],
  ['minecraft', 'authme register Steve hunter2', 'authme register Steve ***'],
  ['minecraft', 'authme password Steve hunter2', 'authme password Steve ***'],
  ['minecraft', 'setpassword Steve hunter2', 'setpassword ***'],
  ['minecraft', 'forceregister Steve hunter2', 'forceregister Steve ***'],
  ['minecraft', 'sudo Steve login hunter2', 'sudo Steve login ***'],
  ['minecraft', 'execute as Steve run login hunter2', 'execute as Steve run login ***'],
  ['minecraft', 'auth register Steve hunter2', 'auth register Steve ***'],
  ['minecraft', 'auth update Steve hunter2', 'auth update Steve ***'],
  ['minecraft', 'auth setGlobalPassword hunter2', 'auth setGlobalPassword ***'],
  ['minecraft', 'account unregister hunter2', 'account unregister ***'],
  ['minecraft', 'pureauth register Steve hunter2', 'pureauth register Steve ***'],
  ['minecraft', 'librelogin user pass-change Steve hunter2', 'librelogin user pass-change Steve ***'],
  ['minecraft', 'dangnhap hunter2', 'dangnhap ***'],
  ['minecraft', 'setlogin hunter1 hunter2', 'setlogin ***'],
  ['minecraft', 'setplayerlogin Steve hunter2', 'setplayerlogin Steve ***'],
  ['minecraft', 'auth remove Steve', 'auth remove Steve'],
  ['minecraft', 'op Steve', 'op Steve'],
  ['minecraft', 'x {"password":"hunter2"}', 'x {"password":"***"}'],
  ['minecraft', 'x {"password": "hun\\"ter2 hunter2", "a": 1}', 'x {"password": "***", "a": 1}'],
  ['minecraft', String.raw`x password="C:\hunter2\"`, 'x password="***"'],
  ['minecraft', "x {'api_token' : 'hunter2', b: 2}", "x {'api_token' : '***', b: 2}"],
  ['seven-days-to-die', 'x "ServerPassword"=hunter2', 'x "ServerPassword"=***'],
  ['seven-days-to-die', 'sg TokenTokenPassword hunter2', 'sg TokenTokenPassword ***'],
  ['ark-se', 'x a=token=hunter2 b.token.c:hunter2', 'x a=token=*** b.token.c:***'],
  ['minecraft', 'tokens give Steve 5', 'tokens give Steve 5'],
  ['minecraft', 'op Steve hunter2', 'op Steve ***'],
  ['minecraft', 'say login with /login now', 'say login with /login now'],
  ['minecraft', 'give Steve iron_ingot 1', 'give Steve iron_ingot 1'],
])('%s: %s', (game, command, masked) => {
  const { maskCommand } = gameOf(game);
  expect(maskCommand(command)).toBe(masked);
  expect(maskCommand(masked)).toBe(masked);
  if (masked !== command) expect(maskForAnyGame(command)).not.toContain('hunter2');
});

// Guarantee: what was hidden in a command is hidden in its reply too, however it is quoted there; words too short to be told from
// other text stay, and a command without a secret leaves its reply unchanged.
test.each<[GameId, string, string, string]>([
  ['minecraft', 'login hunter2', 'Unknown: login hunter2<--[HERE]', 'Unknown: login ***<--[HERE]'],
  [
    'minecraft',
    'authme register Steve hunter2',
    'Steve registered with hunter2',
    'Steve registered with ***',
  ],
  ['minecraft', 'x {"password": "a \\"b\\" hunter2"}', 'set a "b" hunter2', 'set ***'],
  ['minecraft', 'x token=abc', 'an abc for it', 'an abc for it'],
  ['minecraft', 'say hunter2', 'hunter2', 'hunter2'],
  ['ark-se', 'EnableCheats hunter2', 'no hunter2, hunter22', 'no ***, ***2'],
  ['ark-se', 'open map?ServerAdminPassword=hunter2?x', 'opened hunter2', 'opened ***'],
  ['seven-days-to-die', 'sg "ServerPassword" "hunter 2"', 'set to hunter 2.', 'set to ***.'],
  ['seven-days-to-die', 'webtokens add bob hunter2 0', 'bob: hunter2, level 0', 'bob: ***, level 0'],
])('the reply to %s: %s', (game, command, reply, masked) => {
  const { maskReply } = gameOf(game);
  expect(maskReply(command, reply)).toBe(masked);
});

// Guarantee: no command, however hostile, keeps the API or an agent busy: those that took 15 s each, and variants of them.
test.each(gameIds)('the longest hostile commands of %s', { timeout: 10_000 }, (game) => {
  const { maskCommand, maskReply } = gameOf(game);
  const starts = ['', 'sg ', 'op ', 'execute ', 'sudo x ', 'webtokens add ', 'authme register '];
  const repeated = [
    'token',
    'password',
    'secret.',
    'apikey-',
    'token=',
    'token="',
    `token='`,
    'token="\\',
    ' run',
    'a:',
  ];
  for (const start of starts)
    for (const part of [...repeated, 'token ', 'run op '])
      for (const end of ['', ' ', '"', '!']) {
        const room = longestCommand - start.length - end.length;
        expect(maskCommand(start + part.repeat(room).slice(0, room) + end)).toBeTypeOf('string');
        const spaced = part + ' '.repeat(room - part.length);
        expect(maskCommand(start + spaced + end)).toBeTypeOf('string');
        expect(maskReply(start + spaced + end, spaced)).toBeTypeOf('string');
      }
});

// Guarantee: a command without the name of a secret is stored unchanged, whatever else is in it.
test('ordinary commands are untouched', () => {
  const word = fc.constantFrom(
    'say',
    'give',
    'Steve',
    'pass',
    'tok',
    'key',
    'a=b',
    'c: "d"',
    `{"e":'f'}`,
    '?Port=7777',
    '-x',
  );
  const text = fc.oneof(word, fc.string());
  fc.assert(
    fc.property(fc.constantFrom(...gameIds), fc.array(text), (game, texts) => {
      const command = ['broadcast', ...texts].join(' ');
      fc.pre(!/passw|passphrase|secret|token|apikey/i.test(command));
      expect(gameOf(game).maskCommand(command)).toBe(command);
    }),
  );
});

// Guarantee: an assignment to the name of a secret is masked wherever it occurs, and the text around it stays.
test('assignments are masked wherever they stand', () => {
  const name = fc.constantFrom(
    'password',
    'ServerAdminPassword',
    '-adminpasswd',
    'x.secret.y',
    'TOKEN',
    'my-apikey',
    'passphrase',
  );
  const around = fc
    .stringMatching(/^[\w ?&|]{0,20}$/)
    .filter((text) => !/passw|passphrase|secret|token|apikey/i.test(text));
  const form = fc.constantFrom<readonly [string, string]>(
    ['NAME=VALUE', 'NAME=***'],
    ['NAME : VALUE', 'NAME : ***'],
    ['"NAME": "VALUE VALUE"', '"NAME": "***"'],
    ["NAME='VALUE VALUE'", "NAME='***'"],
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...gameIds),
      name,
      around,
      around,
      form,
      (game, named, before, after, [given, kept]) => {
        const [command, masked] = [given, kept].map(
          (shape) => `broadcast ${before} ${shape.replace('NAME', named)} ${after}`,
        );
        expect(gameOf(game).maskCommand(command?.replaceAll('VALUE', 'hunter2') ?? '')).toBe(masked);
      },
    ),
  );
});
