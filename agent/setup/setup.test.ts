import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { killsEverywhere } from '#harness/kill-count.ts';
import { openPseudoTerminal } from '#harness/pseudo-terminal.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startMinecraft } from '#simulators/minecraft-simulator.ts';
import { agentHome } from '../configuration/agent-home.ts';
import { agentMain, startAgentProcess } from '../testing/agent-process.ts';
import { splitCommand } from './choose-start.ts';
import { type Questions, usualAnswers } from './questions.ts';
import { setUpServer } from './set-up-server.ts';

const password = 'typed-by-a-person';

/** A machine with one Minecraft server, and an agent that knows its panel. */
const openMachine = async (folder: string, properties: string) => {
  const games = join(folder, 'games');
  const server = join(games, 'Überleben Ж');
  await mkdir(server, { recursive: true });
  await writeFile(join(server, 'server.properties'), properties);
  await writeFile(join(server, 'eula.txt'), 'eula=true\n');
  await writeFile(join(server, 'start.sh'), '#!/bin/sh\n', { mode: 0o755 });
  const home = agentHome(join(folder, 'home'), {});
  const connect = async (id: string, more: object = {}) => {
    await mkdir(dirname(home.configPath(id)), { recursive: true });
    const config = {
      apiUrl: 'http://127.0.0.1:9',
      serverId: id,
      secret: 'a-secret-long-enough',
      game: 'minecraft',
    };
    await writeFile(home.configPath(id), JSON.stringify({ ...config, ...more }), { mode: 0o600 });
  };
  const read = async (id: string) => JSON.parse(await readFile(home.configPath(id), 'utf8'));
  await connect('one');
  return { games, server, home, connect, read, properties: join(server, 'server.properties') };
};
const off = 'enable-rcon=false\nrcon.port=25575\nrcon.password=\n';
const on = (port: number) => `enable-rcon=true\nrcon.port=${port}\nrcon.password=${password}\n`;

const quiet = (places: string[], agreesToAll = false) => {
  const said: string[] = [];
  const questions = usualAnswers((text) => void said.push(text));
  return { said, options: { questions, places, agreesToAll } };
};

// Guarantee: in a terminal a person chooses, types a password that is never shown, and config.json contains the choices.
test('in a terminal', async () => {
  await using folder = await temporaryFolder('setup');
  const { games, server, home, read } = await openMachine(
    folder.path,
    'enable-rcon=true\nrcon.port=9\nrcon.password=wrong-one\n',
  );
  await using terminal = openPseudoTerminal([process.execPath, agentMain, 'setup', '--home', home.folder], {
    ...process.env,
    HOME: games,
  });
  await terminal.answer('Which server of Minecraft is it?', '');
  await terminal.answer('How is the game started?', '1');
  await terminal.answer('start, stop and restart the game? [Y/n]', '');
  await terminal.answer("read and change files in the game's folder, from the panel? [y/N]", 'perhaps');
  await terminal.answer('Enter y or n.', 'yes');
  await terminal.answer('run on this machine? [y/N]', '');
  await terminal.answer('keep more of them than this machine says? [y/N]', 'y');
  await terminal.answer('Save this?', '');
  expect(await terminal.exited).toBe(0);
  expect(terminal.shown()).not.toContain('wrong-one');
  expect(await read('one')).toMatchObject({
    secret: 'a-secret-long-enough',
    server: {
      folder: server,
      start: { by: 'holder', command: [join(server, 'start.sh')] },
      allow: { power: true, files: true, mods: false, backups: true },
    },
    console: { port: 9, password: 'wrong-one' },
  });
});

// Guarantee: a folder that was not found can be typed, is checked, and its console tried; a typed password is not shown.
test('a folder and a console that are typed', async () => {
  await using folder = await temporaryFolder('setup');
  await using game = await startMinecraft({ port: 0, password });
  const { server, home, read } = await openMachine(folder.path, off);
  await using terminal = openPseudoTerminal([process.execPath, agentMain, 'setup', '--home', home.folder], {
    ...process.env,
    HOME: join(folder.path, 'nothing'),
  });
  await writeFile(join(server, 'server.properties'), '');
  await eventually(() => expect(terminal.shown()).toMatch(/Another folder|empty: none/), 30_000);
  const others = /(\d+) {2}Another folder/.exec(terminal.shown())?.[1];
  if (others !== undefined) await terminal.answer('Number', others);
  await terminal.answer('(empty: none)', 'relative/path');
  await terminal.answer('Enter the full path', join(folder.path, 'absent'));
  await terminal.answer('cannot be opened', server);
  await terminal.answer('Do you know the port and the password', '');
  await terminal.answer('Address of the console', '');
  await terminal.answer('Port of the console', 'abc');
  await terminal.answer('Enter a number', String(game.port));
  await terminal.answer('Password of the console (not shown)', 'not-it-at-all');
  await terminal.answer('What do you want to do?', '1');
  await terminal.answer('Address of the console', '');
  await terminal.answer('Port of the console', String(game.port));
  await terminal.answer('Password of the console (not shown)', password);
  await terminal.answer('Number [1]', '');
  for (const question of ['start, stop', 'read and change', 'install and remove', 'schedule backups'])
    await terminal.answer(question, 'n');
  await terminal.answer('Save this?', 'y');
  expect(await terminal.exited).toBe(0);
  expect(terminal.shown()).toContain(`The console answers on port ${game.port}`);
  expect(terminal.shown()).not.toContain(password);
  expect(terminal.shown()).not.toContain('not-it-at-all');
  expect((await read('one')).console).toEqual({ host: '127.0.0.1', port: game.port, password });
});

// Guarantee: Ctrl-C and a closed terminal change nothing, at any question.
test.each(killsEverywhere ? ['\x03', '\x04'] : ['\x03'])('stopped by %j', { tags: 'kills' }, async (key) => {
  await using folder = await temporaryFolder('setup');
  const { games, server, home, read } = await openMachine(folder.path, off);
  const before = await read('one');
  await using terminal = openPseudoTerminal([process.execPath, agentMain, 'setup', '--home', home.folder], {
    ...process.env,
    HOME: games,
  });
  await terminal.answer('Which server of Minecraft is it?', '');
  await terminal.answer('Turn it on there?', 'y');
  await terminal.answer('Port of the console', '');
  await eventually(() => expect(terminal.shown()).toContain('How is the game started?'), 30_000);
  terminal.type(key);
  expect(await terminal.exited).toBe(130);
  expect(terminal.shown()).toContain('Nothing was changed.');
  expect(await read('one')).toEqual(before);
  expect((await readdir(server)).sort()).toEqual(['eula.txt', 'server.properties', 'start.sh']);
});

// Guarantee: without a terminal the only server is set up, its console tried, and no file of the game changed.
test('without a terminal', async () => {
  await using folder = await temporaryFolder('setup');
  await using game = await startMinecraft({ port: 0, password });
  const { games, server, home, connect, read } = await openMachine(folder.path, on(game.port));
  const { said, options } = quiet([games]);
  expect(await setUpServer({ home, serverId: 'one', ...options })).toBe('saved');
  expect(said.join('\n')).toContain(`The console answers on port ${game.port}`);
  expect(said.join('\n')).not.toContain(password);
  expect(await read('one')).toMatchObject({
    // A script beside a game that does not seem to run does not prove how it is started, so nothing may start it.
    server: { folder: server, start: { by: 'none' }, allow: { power: false, files: false, mods: false } },
    console: { port: game.port, password },
  });
  const again = await read('one');
  expect(again.server.allow).not.toHaveProperty('backups');
  expect(await setUpServer({ home, serverId: 'one', ...quiet([games]).options })).toBe('saved');
  expect(await read('one')).toEqual(again);
  const consented = { ...again.server, allow: { ...again.server.allow, backups: true } };
  await connect('one', { ...again, server: consented });
  expect(await setUpServer({ home, serverId: 'one', ...quiet([games]).options })).toBe('saved');
  expect((await read('one')).server).toEqual(consented);
});

// Guarantee: a console that is off stays off unless `--yes` agrees to everything; then it gets a new password, stored in both places.
test('a console that is off', async () => {
  await using folder = await temporaryFolder('setup');
  const { games, home, read, properties } = await openMachine(folder.path, off);
  expect(await setUpServer({ home, serverId: 'one', ...quiet([games]).options })).toBe('saved');
  expect(await readFile(properties, 'utf8')).toBe(off);
  expect((await read('one')).console).toBeNull();
  const { said, options } = quiet([games], true);
  expect(await setUpServer({ home, serverId: 'one', ...options })).toBe('saved');
  const made = /rcon\.password=(\S{24})\n/.exec(await readFile(properties, 'utf8'))?.[1];
  expect(made).toBeDefined();
  expect((await read('one')).console).toEqual({ host: '127.0.0.1', port: 25_575, password: made });
  expect(said.join('\n')).not.toContain(made);
});

// Guarantee: one game folder has one agent, even under another name of the folder; if several remain, none is guessed.
test('taken folders and several servers', async () => {
  await using folder = await temporaryFolder('setup');
  const { games, server, home, connect, read } = await openMachine(folder.path, off);
  await connect('two', { server: { folder: join(server, '..', 'Überleben Ж/') } });
  const { said, options } = quiet([games]);
  expect(await setUpServer({ home, serverId: 'one', ...options })).toBe('incomplete');
  expect(said.join('\n')).toContain('This account can see no server of Minecraft');
  expect(await read('one')).not.toHaveProperty('server');
  await connect('two', {});
  await mkdir(join(games, 'second'));
  for (const name of ['server.properties', 'eula.txt']) await writeFile(join(games, 'second', name), 'a=b');
  const several = quiet([games]);
  expect(await setUpServer({ home, serverId: 'one', ...several.options })).toBe('incomplete');
  expect(several.said.join('\n')).toContain(join(games, 'second'));
});

// Guarantee: what cannot be set up is reported in words, with an exit code.
test('refusals', async () => {
  await using folder = await temporaryFolder('setup');
  const run = async (...args: string[]) => {
    await using agent = startAgentProcess('setup', '--home', folder.path, ...args);
    return [await agent.exited, agent.stderr() + agent.stdout()];
  };
  expect(await run()).toEqual([2, expect.stringContaining('No game server is connected')]);
  expect(await run('--server', '../x')).toEqual([2, expect.stringContaining('These arguments are wrong')]);
  expect(await run('--password', 'hidden')).toEqual([2, expect.not.stringContaining('hidden')]);
  expect(await run('--server', 'absent')).toEqual([1, expect.stringContaining('is missing')]);
  expect(await run('--help')).toEqual([0, expect.stringContaining('--yes')]);
});

// Guarantee: a typed command is split as a shell splits plain words, and nothing in it is executed.
test('commands', () => {
  expect(splitCommand(`java -jar 'my server.jar' "a \\"b\\"" c\\ d $(x) nogui`)).toEqual([
    'java',
    '-jar',
    'my server.jar',
    'a "b"',
    'c d',
    '$(x)',
    'nogui',
  ]);
});

const stranger = 65_534;

/** A process that claims to be the Minecraft server of this folder. */
const claim = async (server: string, { uid, shell = '/bin/sh' }: { uid: number; shell?: string }) => {
  const child = spawn(shell, ['-c', 'echo here; read line; :', 'nogui'], {
    argv0: 'java',
    cwd: server,
    uid,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
};

// Guarantee: another account's process in the game's folder is shown, but never proposed as the default answer.
test('a process of another account', async () => {
  await using folder = await temporaryFolder('setup');
  await chmod(folder.path, 0o755);
  const { games, server, home, read } = await openMachine(folder.path, off);
  await rm(join(server, 'start.sh'));
  await using _ = await claim(server, { uid: stranger });
  expect(await setUpServer({ home, serverId: 'one', ...quiet([games], true).options })).toBe('saved');
  expect((await read('one')).server.start).toEqual({ by: 'none' });
  const shown: string[] = [];
  const questions: Questions = {
    ...usualAnswers(() => undefined),
    isAsked: true,
    async choose(_question, options, usual) {
      shown.push(...options);
      return usual;
    },
  };
  expect(await setUpServer({ home, serverId: 'one', questions, places: [games] })).toBe('saved');
  expect(shown.join('\n')).toContain('which does not own the folder');
  expect((await read('one')).server.start).toEqual({ by: 'none' });
});

// Guarantee: the owner's own process is accepted without a person only if its program is in the game's folder or belongs to root.
test('a process of the owner', async () => {
  await using folder = await temporaryFolder('setup');
  await chmod(folder.path, 0o755);
  const { games, server, home, read } = await openMachine(folder.path, off);
  await chown(server, stranger, stranger);
  const planted = join(folder.path, 'planted');
  await copyFile('/bin/sh', planted);
  await chown(planted, stranger, stranger);
  for (const [shell, by] of [
    [planted, 'none'],
    ['/bin/sh', 'holder'],
  ] as const) {
    await using _ = await claim(server, { uid: stranger, shell });
    expect(await setUpServer({ home, serverId: 'one', ...quiet([games]).options })).toBe('saved');
    expect((await read('one')).server.start).toMatchObject({ by });
  }
});

// Guarantee: a typed command whose program cannot be run is said so before anything is saved; a quoted path with blanks is one word.
test('a command whose program cannot be run', async () => {
  await using folder = await temporaryFolder('setup');
  const { games, server, home, read } = await openMachine(folder.path, off);
  await mkdir(join(server, 'my game'));
  const type = async (command: string) => {
    const said: string[] = [];
    const questions: Questions = {
      ...usualAnswers((text) => void said.push(text)),
      isAsked: true,
      choose: async (question, options, usual) =>
        question.startsWith('How is the game started')
          ? options.findIndex((option) => option.startsWith('With a command that you'))
          : usual,
      text: async (question, usual) => (question === 'Command' ? command : usual),
    };
    expect(await setUpServer({ home, serverId: 'one', questions, places: [games] })).toBe('saved');
    return said.join('\n');
  };
  const program = join(server, 'my game', 'run server');
  for (const typed of ['"./my game/run server" --nogui', "'my game/run server'", `"${program}"`])
    expect(await type(typed)).toContain(
      `cannot be started like this: The program ${program} does not exist.`,
    );
  expect(await type("'./my game'")).toContain('is a folder, not a program');
  await writeFile(program, '#!/missing/interpreter\n', { mode: 0o755 });
  expect(await type(`'${program}'`)).toContain('/missing/interpreter, which does not exist');
  await writeFile(program, '#!/bin/sh\n');
  expect(await type('"./my game/run server" --nogui')).not.toContain('cannot be started');
  expect((await read('one')).server.start).toEqual({ by: 'holder', command: [program, '--nogui'] });
});
