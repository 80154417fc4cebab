import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { batchLeavesGame } from './leaves-game.ts';

// Guarantee: a batch file that detaches its game with `start` is recognized, such as those that ARK's hosts and 7 Days to Die ship;
// one that stays with its game is not.
test.each([
  ['@echo off\r\nstart ShooterGameServer.exe TheIsland?listen\r\nexit', true],
  ['start "" /high 7DaysToDieServer -logfile x.txt', true],
  ['if exist x.exe (start x.exe)', true],
  ['IF EXIST x.exe START x.exe', true],
  ['cd /d %~dp0 && start x.exe', true],
  ['java -Xmx4G -jar server.jar nogui', false],
  ['rem start the server\r\njava -jar server.jar', false],
  [':start\r\njava -jar server.jar\r\ngoto start', false],
  ['start.exe.jar', false],
  ['java -jar server.jar --start', false],
])('%j', async (text, leaves) => {
  await using folder = await temporaryFolder('batch');
  const path = join(folder.path, 'run.bat');
  await writeFile(path, text);
  expect(await batchLeavesGame(path)).toBe(leaves);
  expect(await batchLeavesGame(join(folder.path, 'none.bat'))).toBe(false);
  expect(await batchLeavesGame(join(folder.path, 'start.sh'))).toBe(false);
});
