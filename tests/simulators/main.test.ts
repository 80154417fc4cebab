import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { gameIds } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openRawClient } from './raw-client.ts';
import { openRawRcon } from './raw-rcon-client.ts';

const password = 'correct horse battery';

interface Running extends AsyncDisposable {
  readonly ready: { readonly game: string; readonly port: number };
  readonly process: ReturnType<typeof spawn>;
  readonly exited: Promise<number | null>;
  /** All output so far. */
  readonly printed: () => string;
}

const run = async (
  args: readonly string[],
  env: Record<string, string> = {},
  ipc = false,
): Promise<Running> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    stdio: ['pipe', 'pipe', 'pipe', ...(ipc ? ['ipc' as const] : [])],
    env: { ...process.env, ...env },
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  let printed = '';
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) throw new Error('no output');
      createInterface({ input: stream }).on('line', (line) => {
        printed += `${line}\n`;
        if (line.startsWith('READY ')) resolve(line.slice('READY '.length));
      });
    }
  });
  // When the process exits, its last output may still be in transit.
  const line = await Promise.race([
    ready,
    once(child, 'close').then(() => Promise.reject(new Error(`it ended:\n${printed}`))),
  ]);
  return {
    ready: JSON.parse(line),
    process: child,
    exited,
    printed: () => printed,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

// Guarantee: each game starts as a program with a password that no argument and no output shows, and SIGTERM ends it.
test.each(gameIds)('%s as a program', async (game) => {
  await using program = await run(['--game', game, '--players', '2'], { GAME_PASSWORD: password });
  expect(program.ready).toMatchObject({ game });
  const { port } = program.ready;
  if (game === 'seven-days-to-die') {
    using client = await openRawClient(port);
    await client.send(`${password}\nlp\n`);
    await client.until((received) => (received.includes('Total of 2 in the game') ? true : null));
  } else if (game === 'palworld') {
    const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
    const answer = await fetch(`http://127.0.0.1:${port}/v1/api/players`, { headers: { authorization } });
    expect(await answer.text()).toContain('Otter');
  } else {
    using client = await openRawRcon(port, password);
    expect(await client.run(game === 'minecraft' ? 'list' : 'ListPlayers')).toContain('Otter');
  }
  program.process.kill('SIGTERM');
  expect(await program.exited).toBe(0);
  expect(program.printed()).not.toContain(password);
  expect(program.process.spawnargs.join(' ')).not.toContain(password);
});

// Guarantee: it does not outlive the process that started it.
test.each(['stdin', 'channel'] as const)('the end of the %s ends it', async (what) => {
  await using program = await run(['--game', 'minecraft'], { GAME_PASSWORD: password }, what === 'channel');
  if (what === 'channel') program.process.disconnect();
  else program.process.stdin?.end();
  expect(await program.exited).toBe(0);
});

// Guarantee: it ends when its shutdown command is typed into its console.
test('stop, typed', async () => {
  await using program = await run(['--game', 'minecraft'], { GAME_PASSWORD: password });
  program.process.stdin?.write('list\n');
  program.process.stdin?.write('stop\n');
  expect(await program.exited).toBe(0);
});

// Guarantee: started by a program that exits earlier, it ends with the process that it was given; its saved world is there at the
// next start, and its log is on standard output.
test('the end of another process ends it', async () => {
  await using folder = await temporaryFolder();
  const levelFile = join(folder.path, 'level.json');
  const other = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' });
  using ending = new DisposableStack();
  ending.defer(() => void other.kill('SIGKILL'));
  const args = ['--game', 'minecraft', '--players', '1', '--echo', '--level-file', levelFile];
  await using program = await run([...args, '--ends-with', String(other.pid)], { GAME_PASSWORD: password });
  await eventually(() => expect(program.printed()).toContain('joined the game'));
  const client = await openRawRcon(program.ready.port, password);
  await client.run('save-all');
  client[Symbol.dispose]();
  expect(JSON.parse(await readFile(levelFile, 'utf8'))).toMatchObject({
    inventories: [[expect.any(String), []]],
  });
  expect(program.process.exitCode).toBe(null);
  ending.dispose();
  expect(await program.exited).toBe(0);
});

// Guarantee: a busy server's players join and chat, as its log shows; the password may be in a file.
test('busy, with a log and a password file', async () => {
  await using folder = await temporaryFolder();
  const passwordFile = join(folder.path, 'password');
  const logFile = join(folder.path, 'latest.log');
  await writeFile(passwordFile, `${password}\n`);
  await using program = await run(
    [
      '--game',
      'minecraft',
      '--password-file',
      passwordFile,
      '--log-file',
      logFile,
      '--players',
      '3',
      '--busy',
    ],
    { GAME_PASSWORD: 'another' },
  );
  using client = await openRawRcon(program.ready.port, password);
  expect(await client.run('list')).toContain('There are ');
  const events = /joined the game|left the game|: <\w+> /g;
  await eventually(
    async () => expect((await readFile(logFile, 'utf8')).match(events)?.length ?? 0).toBeGreaterThan(3),
    60_000,
  );
});

// Guarantee: a failed start says why in one line and exits with a failure.
test.each([
  [['--game', 'tetris'], /Allowed choices are/],
  [['--game', 'minecraft', '--port', '70000'], /from 0 to 65535/],
  [['--game', 'minecraft'], /needs a password/],
  [['--game', 'minecraft', '--password-file', '/nowhere'], /cannot be read/],
])('%j is refused', async (args, reason) => {
  await expect(run(args, { GAME_PASSWORD: '' })).rejects.toThrow(reason);
});
