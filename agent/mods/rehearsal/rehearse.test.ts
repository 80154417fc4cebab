import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testAccount } from '#harness/test-account.ts';
import { isAlive } from '#runtime/live-process.ts';
import { giveFolder } from '../../configuration/as-owner.ts';
import { holderProgram } from '../../power/testing/test-power.ts';
import type { RunCommand } from '../../saves/autosave.ts';
import { openFolderWorker, ownWorker } from '../folder/folder-worker.ts';
import { commandInCopy, copyName } from './copy-paths.ts';
import { endRehearsal } from './left-rehearsal.ts';
import { type RehearsalOptions, rehearse } from './rehearse.ts';
import { type RehearsedConfig, whyNotRehearsed } from './why-not-rehearsed.ts';

const simulator = resolve(import.meta.dirname, '../../../tests/simulators/main.ts');

/**
 * Stands in for Java: a server that reads the port and password of its console from the folder that it is started in, and behaves
 * as `mods` says. Each start writes its process and folder to `starts`.
 */
const script = (outer: string) => `#!/bin/bash
echo "$$ $PWD" >> ${outer}/starts
ls mods world > ${outer}/contents; cp server.properties ${outer}/properties
touch world/session.lock world/written-by-$$
echo '[12:00:00] [main/INFO]: Loading Minecraft 1.21.1 with Fabric Loader 0.16.14'
if [ -e mods/broken.jar ]; then
  echo '[12:00:01] [main/ERROR]: Incompatible mods found!'
  echo "	 - Install fabric-api, any version."
  exec sleep 1000
fi
if [ -e mods/crash.jar ]; then echo 'out of memory'; exit 3; fi
if [ -e mods/silent.jar ]; then exec sleep 1000; fi
export GAME_PASSWORD=$(sed -n 's/^rcon.password=//p' server.properties)
exec ${process.execPath} ${simulator} --game minecraft --port $(sed -n 's/^rcon.port=//p' server.properties)
`;

const properties = [
  'server-port=25565',
  'query.port=25565',
  'enable-query=true',
  'rcon.port=25575',
  'rcon.password=of-the-live-server',
  'enable-rcon=true',
  'online-mode=true',
  'level-name=world',
  'motd=Grüße',
];

const quick = { pollMs: 50, shutdownMs: 10_000, terminateMs: 5000 };

const openServer = async () => {
  const outer = await temporaryFolder('rehearsal');
  const folder = join(outer.path, 'Überleben server');
  const stateFolder = join(outer.path, 'state');
  for (const path of ['world/region', 'mods', 'logs', 'config', 'libraries/net'])
    await mkdir(join(folder, path), { recursive: true });
  await mkdir(stateFolder);
  const files: Record<string, string> = {
    'server.properties': `${properties.join('\n')}\n`,
    'eula.txt': 'eula=true\n',
    'mods/old.jar': 'old',
    'mods/stays.jar': 'stays',
    'config/mod.toml': 'a=1',
    'world/level.dat': 'world',
    'world/session.lock': 'locked',
    'world/region/r.0.0.mca': 'region',
    'logs/latest.log': 'x',
    'libraries/net/a.jar': 'library',
  };
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  await writeFile(join(folder, 'start.sh'), script(outer.path));
  await chmod(join(folder, 'start.sh'), 0o755);
  const config: RehearsedConfig = {
    game: 'minecraft',
    stateFolder,
    server: {
      folder,
      start: { by: 'holder', command: ['./start.sh'], account: null },
      allow: { power: true, files: false, mods: true },
    },
    saves: { nightlyAtMinute: null, keep: 7, days: 30, folder: join(stateFolder, 'backups'), from: null },
  };
  const starts = async () =>
    (await readFile(join(outer.path, 'starts'), 'utf8').catch(() => ''))
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ pid: Number(line.split(' ')[0]), folder: line.slice(line.indexOf(' ') + 1) }));
  onTestFinished(async () => {
    await endRehearsal(stateFolder, ownWorker);
    await outer[Symbol.asyncDispose]();
  });
  const stage = async (name: string) => {
    const fresh = join(outer.path, name);
    await writeFile(fresh, 'new');
    return fresh;
  };
  const everything = async () => {
    const all = await readdir(folder, { recursive: true, withFileTypes: true });
    const read = all
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const { mtimeMs, mode } = await stat(path);
        return [path, mtimeMs, mode, await readFile(path, 'utf8')];
      });
    return (await Promise.all(read)).sort();
  };
  const options = (
    moves: RehearsalOptions['moves'],
    more: Partial<RehearsalOptions> = {},
  ): RehearsalOptions => ({
    config,
    worker: ownWorker,
    moves,
    holderProgram,
    timing: quick,
    run: null,
    watch: { readySeconds: 60, watchSeconds: 1 },
    signal: new AbortController().signal,
    onStep: () => undefined,
    ...more,
  });
  const seenByGame = (name: 'contents' | 'properties') => readFile(join(outer.path, name), 'utf8');
  return { folder, stateFolder, config, starts, stage, everything, options, seenByGame };
};

const nothingLeft = async (it: Awaited<ReturnType<typeof openServer>>) => {
  expect(await readdir(it.folder)).not.toContain(copyName);
  expect(await readdir(it.stateFolder)).not.toContain('rehearsal');
  expect((await it.starts()).filter(({ pid }) => isAlive(pid))).toEqual([]);
};

// Guarantee: the new set runs in a copy with other ports, and afterwards neither the server's folder nor any process shows it.
test('a set that comes up', { timeout: 90_000 }, async () => {
  const it = await openServer();
  const before = await it.everything();
  const steps: string[] = [];
  const seen = await rehearse(
    it.options(
      [
        { place: join(it.folder, 'mods/new.jar'), fresh: await it.stage('new.jar') },
        { place: join(it.folder, 'mods/old.jar'), fresh: null },
      ],
      { onStep: (words) => void steps.push(words) },
    ),
  );
  expect(seen).toEqual({ passed: true });
  expect(steps).toEqual(['The server is copied', 'The copy starts', 'The copy ends']);
  expect((await it.starts()).map(({ folder }) => folder)).toEqual([join(it.folder, copyName)]);
  expect(
    (await it.seenByGame('contents')).split('\n').filter((name) => !name.startsWith('written-by')),
  ).toEqual(['mods:', 'new.jar', 'stays.jar', '', 'world:', 'level.dat', 'region', '']);
  const settings = await it.seenByGame('properties');
  expect(settings).toContain('online-mode=true\n');
  expect(settings).toContain('motd=Grüße\n');
  expect(settings).toContain('server-ip=127.0.0.1\n');
  expect(settings).not.toMatch(/25565|25575|of-the-live-server|enable-query=true/);
  expect(await it.everything()).toEqual(before);
  await nothingLeft(it);
});

// Guarantee: if another account owns the folder, the copy is made, changed, started and removed with that account's rights.
test.skipIf(process.getuid?.() !== 0)("in another account's folder", { timeout: 90_000 }, async () => {
  const it = await openServer();
  const account = await testAccount();
  onTestFinished(() => account[Symbol.asyncDispose]());
  await giveFolder(it.folder, account);
  // The game writes there what it has seen.
  await chmod(join(it.folder, '..'), 0o1777);
  const { server } = it.config;
  const start = { by: 'holder' as const, command: ['./start.sh'] as [string], account: account.name };
  const config = { ...it.config, server: server && { ...server, start } };
  const before = await it.everything();
  await using worker = openFolderWorker(config, holderProgram);
  expect(await whyNotRehearsed(config, worker)).toBeNull();
  const owners: number[] = [];
  const seen = await rehearse(
    it.options([{ place: join(it.folder, 'mods/new.jar'), fresh: await it.stage('new.jar') }], {
      config,
      worker,
      onStep() {
        const copy = join(it.folder, copyName);
        if (existsSync(copy))
          for (const path of ['', 'mods/new.jar']) owners.push(statSync(join(copy, path)).uid);
      },
    }),
  );
  expect(seen).toEqual({ passed: true });
  expect(new Set(owners)).toEqual(new Set([account.uid]));
  expect(await it.seenByGame('contents')).toContain('new.jar');
  expect(await it.seenByGame('properties')).toContain('server-ip=127.0.0.1\n');
  expect(await it.everything()).toEqual(before);
  await nothingLeft(it);
});

// Guarantee: a set that does not come up is reported with the game's last lines, and is gone.
test.each([
  { mod: 'broken.jar', why: 'Incompatible mods found!', line: 'Install fabric-api' },
  { mod: 'crash.jar', why: 'exit code 3', line: 'out of memory' },
  { mod: 'silent.jar', why: 'did not answer within', line: 'Loading Minecraft' },
])('$mod', { timeout: 90_000 }, async ({ mod, why, line }) => {
  const it = await openServer();
  const before = await it.everything();
  const seen = await rehearse(
    it.options([{ place: join(it.folder, 'mods', mod), fresh: await it.stage(mod) }], {
      watch: { readySeconds: mod === 'silent.jar' ? 2 : 60, watchSeconds: 1 },
    }),
  );
  expect(seen).toMatchObject({ passed: false, why: expect.stringContaining(why) });
  expect('lines' in seen ? seen.lines.join('\n') : '').toContain(line);
  expect(await it.everything()).toEqual(before);
  await nothingLeft(it);
});

// Guarantee: while the worlds of a running server are copied it does not write them, and afterwards it saves again.
test('the world of a running server', { timeout: 90_000 }, async () => {
  const it = await openServer();
  const given: string[] = [];
  const run: RunCommand = async (command) => {
    given.push(command);
    const replies: Record<string, string> = {
      'save-off': 'Automatic saving is now disabled',
      'save-all flush': 'Saving the game (this may take a moment!)\nSaved the game',
      'save-on': 'Automatic saving is now enabled',
    };
    return {
      outcome: 'answered',
      reply: replies[command] ?? '',
      truncated: false,
      sent: true,
      durationMs: 1,
    };
  };
  expect(await rehearse(it.options([], { run }))).toEqual({ passed: true });
  expect(given).toEqual(['save-off', 'save-all flush', 'save-on']);
});

// Guarantee: a cancelled rehearsal leaves nothing.
test('cancelled while the copy comes up', { timeout: 90_000 }, async () => {
  const it = await openServer();
  const cancelling = new AbortController();
  const asked = rehearse(
    it.options([{ place: join(it.folder, 'mods/silent.jar'), fresh: await it.stage('silent.jar') }], {
      signal: cancelling.signal,
    }),
  );
  const ended = expect(asked).rejects.toThrow('cancelled by a person');
  await eventually(async () => expect(await it.starts()).toHaveLength(1));
  cancelling.abort(new Error('cancelled by a person'));
  await ended;
  await nothingLeft(it);
});

// Guarantee: the next agent ends and removes what an agent killed during a rehearsal has left.
test('an agent that is killed', { timeout: 90_000 }, async () => {
  const it = await openServer();
  const fresh = await it.stage('silent.jar');
  const program = `
    import { rehearse } from ${JSON.stringify(resolve(import.meta.dirname, 'rehearse.ts'))};
    import { ownWorker as worker } from ${JSON.stringify(resolve(import.meta.dirname, '../folder/folder-worker.ts'))};
    const options = JSON.parse(process.argv[1]);
    await rehearse({ ...options, worker, signal: new AbortController().signal, onStep: () => undefined });
  `;
  const {
    config,
    moves,
    watch,
    holderProgram: holder,
  } = it.options([{ place: join(it.folder, 'mods/silent.jar'), fresh }]);
  const sent = JSON.stringify({ config, moves, watch, holderProgram: holder, run: null });
  const agent = spawn(process.execPath, ['--input-type=module', '-e', program, sent], { stdio: 'inherit' });
  onTestFinished(() => void agent.kill('SIGKILL'));
  await eventually(async () => expect(await it.starts()).toHaveLength(1), 30_000);
  agent.kill('SIGKILL');
  await once(agent, 'exit');
  const [game] = await it.starts();
  expect(isAlive(game?.pid ?? 0)).toBe(true);
  expect(await readdir(it.folder)).toContain(copyName);
  await endRehearsal(it.stateFolder, ownWorker);
  await nothingLeft(it);
  // And once more, when there is nothing.
  await endRehearsal(it.stateFolder, ownWorker);
});

// Guarantee: 7 Days to Die runs a second time unseen, with its own data in the copy.
test('7 Days to Die', { timeout: 90_000 }, async () => {
  const it = await openServer();
  const { folder, config } = it;
  const { server } = config;
  if (!server) throw new Error('no server');
  await mkdir(join(folder, 'UserData/Saves/Navezgane/My Game'), { recursive: true });
  await writeFile(join(folder, 'UserData/Saves/Navezgane/My Game/main.ttw'), 'world');
  const settings = (data: string) => `<?xml version="1.0"?>
<ServerSettings>
	<property name="ServerPort" value="26900"/>
	<property name="ServerVisibility" value="2"/> <!-- 2 = public -->
	<property name="TelnetEnabled" value="true"/>
	<property name="TelnetPort" value="8081"/>
	<property name="TelnetPassword" value="of-the-live-server"/>
	<property name="UserDataFolder" value="${data}"/>
</ServerSettings>
`;
  await writeFile(join(folder, 'serverconfig.xml'), settings(join(folder, 'UserData')));
  const outer = join(folder, '..');
  const start = `#!/bin/bash
echo "$$ $PWD" >> ${outer}/starts
cp "\${1#-configfile=}" ${outer}/properties; ls Mods UserData/Saves/Navezgane/* > ${outer}/contents
port=$(sed -n 's/.*"TelnetPort" value="\\([0-9]*\\)".*/\\1/p' serverconfig.xml)
exec ${process.execPath} ${simulator} --game seven-days-to-die --port $port
`;
  await writeFile(join(folder, 'startserver.sh'), start, { mode: 0o755 });
  const sevenDays: RehearsedConfig = {
    ...config,
    game: 'seven-days-to-die',
    server: {
      ...server,
      start: { by: 'holder', command: ['./startserver.sh', '-configfile=serverconfig.xml'], account: null },
    },
  };
  const fresh = join(outer, 'BiggerBackpack');
  await mkdir(join(fresh, 'Config'), { recursive: true });
  await writeFile(join(fresh, 'ModInfo.xml'), '<xml/>');
  const moves = [{ place: join(folder, 'Mods/BiggerBackpack'), fresh }];
  expect(await rehearse(it.options(moves, { config: sevenDays }))).toEqual({ passed: true });
  const seen = await it.seenByGame('properties');
  expect(seen).toContain(`name="ServerVisibility" value="0"`);
  expect(seen).toContain(`UserDataFolder" value="${encoded(join(folder, copyName, 'UserData'))}"`);
  expect(seen).not.toMatch(/26900|8081|of-the-live-server/);
  const contents = await it.seenByGame('contents');
  expect(contents).toContain('BiggerBackpack\n');
  expect(contents).toContain('main.ttw');
  await nothingLeft(it);

  const startedWith = (command: [string, ...string[]]): RehearsedConfig => ({
    ...sevenDays,
    server: { ...server, start: { by: 'holder', command, account: null } },
  });
  // The file of the running server must not change.
  await writeFile(join(outer, 'elsewhere.xml'), settings(join(folder, 'UserData')));
  const elsewhere = `-configfile=${join(outer, 'elsewhere.xml')}`;
  expect(await whyNotRehearsed(startedWith(['./startserver.sh', elsewhere]), ownWorker)).toContain('outside');
  const whole = `-configfile=${join(folder, 'serverconfig.xml')}`;
  expect(await whyNotRehearsed(startedWith(['./startserver.sh', whole]), ownWorker)).toBeNull();
  await writeFile(
    join(folder, 'own.sh'),
    '#!/bin/sh\n./7DaysToDieServer.x86_64 -TelnetPort=8081 -nographics\n',
  );
  expect(await whyNotRehearsed(startedWith(['./own.sh']), ownWorker)).toContain('-TelnetPort');
  await writeFile(join(folder, 'serverconfig.xml'), settings('/home/steam/7dtd'));
  expect(await whyNotRehearsed({ ...sevenDays }, ownWorker)).toMatch(/is not there|outside/);
  await writeFile(join(folder, 'serverconfig.xml'), '<ServerSettings></ServerSettings>');
  expect(await whyNotRehearsed(sevenDays, ownWorker)).toContain('Name UserDataFolder');
});

const encoded = (path: string) => path.replace(/[^ -~]/gu, (letter) => `&#${letter.codePointAt(0)};`);

// Guarantee: nothing is started beside a server that would reach beyond its copy.
test('what cannot be rehearsed', async () => {
  const it = await openServer();
  const { config, folder } = it;
  const { server } = config;
  if (!server) throw new Error('no server');
  const started = (...command: [string, ...string[]]): RehearsedConfig => ({
    ...config,
    server: { ...server, start: { by: 'holder', command, account: null } },
  });
  expect(await whyNotRehearsed(config, ownWorker)).toBeNull();
  expect(await whyNotRehearsed({ ...config, game: 'ark-asa' }, ownWorker)).toContain('is not rehearsed');
  expect(await whyNotRehearsed({ ...config, server: null }, ownWorker)).toContain('holder');
  expect(
    await whyNotRehearsed(
      { ...config, server: { ...server, start: { by: 'systemd', unit: 'a.service' } } },
      ownWorker,
    ),
  ).toContain('holder');
  expect(
    await whyNotRehearsed(started('java', '-jar', 'server.jar', '--port', '25565'), ownWorker),
  ).toContain('--port');
  expect(await whyNotRehearsed(started('java', '-Xmx900000G', '-jar', 'server.jar'), ownWorker)).toContain(
    'memory',
  );
  for (const outside of [`--plugins=${folder}-data/plugins`, `-I${folder}`])
    expect(await whyNotRehearsed(started('java', outside), ownWorker), outside).toContain(
      'begins as that of the server',
    );
  await writeFile(join(folder, 'bukkit.yml'), 'settings:\n  world-container: /srv/worlds\n');
  expect(await whyNotRehearsed(config, ownWorker)).toContain('outside its folder');
  await writeFile(join(folder, 'bukkit.yml'), 'settings:\n  world-container: worlds\n');
  expect(
    await whyNotRehearsed(
      started('java', '-agentlib:jdwp=transport=dt_socket,address=5005', '-jar', 'a.jar'),
      ownWorker,
    ),
  ).toContain('-agentlib:jdwp');
  for (const line of [
    `cd "${folder}"`,
    'cd /srv/mc && java -jar a.jar',
    'exec screen -dmS mc java -jar a.jar',
    'cd ~/mc',
  ]) {
    await writeFile(join(folder, 'run.sh'), `#!/bin/sh\n${line}\n`);
    expect(await whyNotRehearsed(started('./run.sh'), ownWorker), line).toContain('run.sh');
    expect(await whyNotRehearsed(started('/bin/bash', join(folder, 'run.sh')), ownWorker), line).toContain(
      'run.sh',
    );
  }
  await writeFile(join(folder, 'run.sh'), '#!/bin/sh\n# cd /srv/mc\ncd "$(dirname "$0")"\njava -jar a.jar\n');
  expect(await whyNotRehearsed(started('./run.sh'), ownWorker)).toBeNull();
  await symlink('/tmp', join(folder, 'plugins'));
  expect(await whyNotRehearsed(config, ownWorker)).toContain('link to a folder');
});

// Guarantee: every mention of the server's folder becomes its copy, once.
test('the command in the copy', () => {
  const command: [string, ...string[]] = [
    ...['/srv/mc/run', '--universe=/srv/mc', '-cp', '/srv/mc/a.jar:/lib/b.jar', '@/srv/mc/args'],
    ...['/link/x', '/link', '/srv/mc-data/x'],
  ] as [string, ...string[]];
  const copy = `/srv/mc/${copyName}`;
  expect(commandInCopy({ command, folder: '/srv/mc', copy }, '/link')).toEqual([
    ...[`${copy}/run`, `--universe=${copy}`, '-cp', `${copy}/a.jar:/lib/b.jar`, `@${copy}/args`],
    ...[`${copy}/x`, copy, '/srv/mc-data/x'],
  ]);
});
