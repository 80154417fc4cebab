import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { findGames } from './find-games.ts';
import { findGameFolders } from './game-folders.ts';
import { unitOf } from './linux-programs.ts';
import { servicesByPid } from './windows-programs.ts';

const put = async (root: string, files: Readonly<Record<string, string>>) => {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
};

// Guarantee: each game's server is recognised where the usual tools install it, and similar folders are not.
test('folders', async () => {
  await using folder = await temporaryFolder('find');
  await put(folder.path, {
    'steam/steamapps/common/ARK/ShooterGame/Binaries/Linux/ShooterGameServer': '',
    'asa Ж/ShooterGame/Binaries/Win64/ArkAscendedServer.exe': '',
    'sdtd/serverfiles/7DaysToDieServer.x86_64': '',
    'steam/steamapps/common/PalServer/PalServer.sh': '',
    'volumes/8f1e/server.properties': '',
    'volumes/8f1e/eula.txt': 'eula=true',
    'bedrock/server.properties': '',
    'bedrock/eula.txt': '',
    'bedrock/bedrock_server': '',
    'other/server.properties': '',
  });
  await symlink(folder.path, join(folder.path, 'steam', 'loop'));
  const found = await findGameFolders({ places: [folder.path, '/does/not/exist'] });
  expect(found.map(({ game, folder: path }) => [game, path.slice(folder.path.length + 1)]).sort()).toEqual([
    ['ark-asa', 'asa Ж'],
    ['ark-se', 'steam/steamapps/common/ARK'],
    ['minecraft', 'volumes/8f1e'],
    ['palworld', 'steam/steamapps/common/PalServer'],
    ['seven-days-to-die', 'sdtd/serverfiles'],
  ]);
});

// Guarantee: the search leaves an endless tree after a bounded number of folders.
test('limits', async () => {
  await using folder = await temporaryFolder('find');
  for (let number = 0; number < 30; number += 1)
    await mkdir(join(folder.path, `a${number}`, 'b', 'c'), { recursive: true });
  await put(folder.path, { 'z/server.properties': '', 'z/eula.txt': '' });
  const limited = (limits: { maxFolders?: number; maxDepth?: number; maxMs?: number }) =>
    findGameFolders({ places: [folder.path], ...limits });
  expect(await limited({})).toHaveLength(1);
  expect(await limited({ maxFolders: 10 })).toEqual([]);
  expect(await limited({ maxDepth: 0 })).toEqual([]);
});

// Guarantee: a running game is found by its process alone, with its ports, its settings, and the values of its command.
test('processes', async () => {
  await using folder = await temporaryFolder('find');
  const server = join(folder.path, 'mein Server Ж');
  await put(server, {
    'serverconfig.xml': '<ServerSettings><property name="TelnetEnabled" value="false"/></ServerSettings>',
    'other.xml':
      '<ServerSettings><property name="TelnetEnabled" value="true"/><property name="TelnetPassword" value="hidden-pw"/></ServerSettings>',
  });
  const program = join(server, '7DaysToDieServer.x86_64');
  // Copied only if the temporary folder is on another disk than Node.
  await link(process.execPath, program).catch(() => copyFile(process.execPath, program));
  await chmod(program, 0o755);
  const code = `require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
  const child = spawn(program, ['-e', code, '--', '-configfile=other.xml', '-TelnetPort=8123'], {
    cwd: server,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [printed] = await once(child.stdout, 'data');
    const [found, ...others] = await eventually(async () => {
      const games = await findGames({ places: [], games: ['seven-days-to-die'] });
      expect(games.length).toBeGreaterThan(0);
      return games.filter((game) => game.folder.startsWith(folder.path));
    });
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      folder: server,
      account: 'root',
      settingsPath: join(server, 'other.xml'),
      console: { isOn: true, port: 8123 },
    });
    expect(found?.program).toMatchObject({ pid: child.pid, account: 'root', workingFolder: server });
    expect(await found?.program?.listeningPorts()).toEqual([Number(printed)]);
    expect(JSON.stringify(found)).not.toContain('hidden-pw');
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

// Guarantee: only a unit that belongs to the game alone is proposed, never one that starts any program on request.
test.each([
  ['0::/system.slice/minecraft.service\n', 'minecraft.service'],
  ['0::/system.slice/system-minecraft.slice/minecraft@survival.service\n', 'minecraft@survival.service'],
  ['12:pids:/x\n1:name=systemd:/system.slice/ark.service\n0::/system.slice/ark.service\n', 'ark.service'],
  ['0::/system.slice/ark.service/payload\n', 'ark.service'],
  ['0::/user.slice/user-1000.slice/session-3.scope\n', null],
  ['0::/user.slice/user-1000.slice/user@1000.service/app.slice/ark.service\n', null],
  ['0::/system.slice/docker-8f.scope\n', null],
  ['0::/system.slice/ssh.service\n', null],
  ['0::/system.slice/cron.service\n', null],
  ['0::/system.slice/castellan-agent.service\n', null],
  ['0::/\n', null],
  ['', null],
])('the unit of %j', (groups, unit) => {
  expect(unitOf(groups)).toBe(unit);
});

// Guarantee: Windows's output is read by position, in any language.
test('Windows', () => {
  const tasks =
    '"System","4","N/A"\r\n"svchost.exe","900","RpcSs,DcomLaunch"\r\n"nssm.exe","1200","7dtd"\r\n"java.exe","1300","Nicht zutreffend/"\r\n';
  expect([...servicesByPid(tasks)].filter(([, names]) => names.length > 0)).toEqual([[1200, ['7dtd']]]);
});
