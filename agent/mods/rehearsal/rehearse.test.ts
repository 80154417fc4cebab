import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { testAccount } from '#harness/test-account.ts';
import { isAlive } from '#runtime/live-process.ts';
import { giveFolder } from '../../configuration/as-owner.ts';
import { holderProgram } from '../../power/testing/test-power.ts';
import type { RunCommand } from '../../saves/autosave.ts';
import { openFolderWorker, ownWorker } from '../folder/folder-worker.ts';
import { copyName } from './copy-paths.ts';
import { endRehearsal } from './left-rehearsal.ts';
import { rehearse } from './rehearse.ts';
import { nothingLeft, openRehearsedServer, simulator } from './testing/rehearsed-server.ts';
import { type RehearsedConfig, whyNotRehearsed } from './why-not-rehearsed.ts';

// Guarantee: the new set runs in a copy with other ports, and afterwards neither the server's folder nor any process shows it.
test('a set that comes up', { timeout: 90_000 }, async () => {
  const it = await openRehearsedServer();
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
  const it = await openRehearsedServer();
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
  const it = await openRehearsedServer();
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
  const it = await openRehearsedServer();
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
  const it = await openRehearsedServer();
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
  const it = await openRehearsedServer();
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
  const it = await openRehearsedServer();
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
