import { expect, test } from 'vitest';
import type { GameId } from '#contracts/games.ts';
import { gameOf, maskForAnyGame } from './games.ts';

// Guarantee: of a command that is done no password is kept, and what carries none is kept as it stands.
test.each<[GameId, string, string]>([
  ['ark-se', 'EnableCheats hunter2', 'EnableCheats ***'],
  ['ark-asa', 'cheat enablecheats hunter2', 'cheat enablecheats ***'],
  ['ark-se', 'SetCheatPlayer hunter2', 'SetCheatPlayer ***'],
  ['ark-se', 'open map?ServerAdminPassword=hunter2?x', 'open map?ServerAdminPassword=***?x'],
  ['ark-se', 'Broadcast enablecheats is off', 'Broadcast enablecheats is off'],
  ['ark-se', 'EnableCheats', 'EnableCheats'],
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
  ['minecraft', 'op Steve', 'op Steve'],
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
