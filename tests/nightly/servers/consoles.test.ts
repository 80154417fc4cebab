// @module-tag foreign-servers
// @module-tag teeworlds

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { createLineReader } from '#games/telnet/lines.ts';
import { openConsole } from '#games/wire/open-console.ts';
import { toReply } from '#games/wire/reply.ts';
import { foreignServers } from '#harness/available.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { Secret } from '#runtime/secret.ts';
import { startFlyingSquid } from './flying-squid.ts';

const owned = new AsyncDisposableStack();
const password = 'a-secret-word';
let econ: { readonly port: number; readonly game: ChildProcess; said(): string };
let gamePort: number;
let telnetPort: number;

/** Teeworlds' external console: it asks for a password, bans after three wrong ones and writes the game's log. */
const startEcon = async (ban: string) => {
  const port = await freePort();
  const options = [
    ...['sv_register 0', 'bindaddr 127.0.0.1', `sv_port ${await freePort()}`],
    ...[`ec_port ${port}`, 'ec_bindaddr 127.0.0.1', `ec_password ${password}`, `ec_bantime ${ban}`],
    'ec_auth_timeout 2',
  ];
  const game = spawn('/usr/games/teeworlds-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(game, 'exit');
  let said = '';
  game.stdout.setEncoding('utf8').on('data', (part: string) => {
    said += part;
  });
  owned.defer(async () => {
    game.kill('SIGKILL');
    await exited;
  });
  await eventually(() => expect(said).toMatch(/\[econ\]: bound to/), 30_000);
  return { port, game, said: () => said };
};

/** Debian's telnetd, started for each connection as inetd does. */
const startTelnetd = async (): Promise<number> => {
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    const daemon = spawn(join(foreignServers, 'usr/sbin/telnetd'), ['-h'], {
      stdio: [socket, socket, socket],
    });
    daemon.once('spawn', () => socket.destroy());
    owned.defer(() => void daemon.kill('SIGKILL'));
  });
  owned.defer(() => new Promise<void>((done) => void server.close(() => done())));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

beforeAll(async () => {
  const folder = owned.use(await temporaryFolder('flying-squid'));
  gamePort = owned.use(await startFlyingSquid(folder.path)).port;
  econ = await startEcon('0');
  telnetPort = await startTelnetd();
});
afterAll(() => owned.disposeAsync());

const open = async (game: GameId, port: number, connectTimeoutMs = 3000) => {
  const target = { host: '127.0.0.1', port, password: new Secret(password) };
  const opened = await gameOf(game).connect(target, { connectTimeoutMs });
  if ('failure' in opened) {
    expect(opened.failure.detail).not.toContain(password);
    return opened.failure.outcome;
  }
  opened.connection[Symbol.dispose]();
  return 'connected';
};
const consoles = ['minecraft', 'ark-se', 'seven-days-to-die', 'palworld'] as const;

// Guarantee: a console of another program is named for what it is, at once, and gets no password that it did not ask for in the
// game's own words.
test.each(consoles)('%s: the console of another game', async (game) => {
  expect(await open(game, econ.port)).toBe('wrong protocol');
  expect(econ.said()).not.toContain('authed');
});

// Guarantee: a telnet server that waits for answers of a terminal is named, too, and keeps no one waiting longer than the limit.
test('seven-days-to-die: a real telnet server', async () => {
  expect(await open('seven-days-to-die', telnetPort)).toBe('wrong protocol');
});
test.each(['minecraft', 'palworld'] as const)('%s: a real telnet server', async (game) => {
  expect(await open(game, telnetPort)).toBe('wrong protocol');
});

// Guarantee: the port where the game itself listens, in place of its console's, opens no console: Minecraft closes on a password there,
// and waits for more of what is none.
test.each([
  ['minecraft', 'authentication failed'],
  ['ark-se', 'authentication failed'],
  ['seven-days-to-die', 'timeout'],
  ['palworld', 'timeout'],
] as const)('%s: the port of the game', async (game, outcome) => {
  expect(await open(game, gamePort)).toBe(outcome);
});

/** Teeworlds' dialogue over the product's own connection: what it does with a console's bytes, queue, losses and limits. */
const openEcon = (port: number, secret: string) => {
  const target = { host: '127.0.0.1', port, password: new Secret(secret) };
  return openConsole(
    target,
    { connectTimeoutMs: 5000 },
    {
      longestCommandBytes: 1000,
      open(wire) {
        const lines = createLineReader();
        let reply: string[] = [];
        const take = (line: string) => {
          if (line.startsWith('Enter password')) return wire.write(`${secret}\n`);
          if (line.startsWith('Wrong password')) return wire.refuse('authentication failed', line);
          if (line.startsWith('Authentication successful')) return wire.ready();
          const text = /^\[[\d:]+\]\[Console\]: (?<text>.*)$/.exec(line)?.groups?.text;
          if (text === 'that was all') wire.answer(toReply(reply.join('\n')));
          else if (text !== undefined) reply.push(text);
        };
        return {
          receive: (bytes) => {
            for (const line of lines.push(bytes)) take(line);
          },
          closedAtLogin: () => ({ outcome: 'connection lost', detail: 'It closed.' }),
          send(command) {
            reply = [];
            wire.write(`${command}\necho that was all\n`);
          },
          unfinished: () => toReply(reply.join('\n')),
        };
      },
    },
  );
};

// Guarantee: over a console that others wrote a wrong password is one, each of many commands gets its own long reply, and a game that
// dies in between leaves each command with an outcome.
test('commands to the console of another game', async () => {
  const own = await startEcon('0');
  expect(await openEcon(own.port, 'wrong')).toMatchObject({ failure: { outcome: 'authentication failed' } });
  const opened = await openEcon(own.port, password);
  if ('failure' in opened) throw new Error(opened.failure.detail);
  using connection = opened.connection;
  const said = (number: number) => Array.from({ length: 20 }, (_, line) => `ünï ${number} ${line}`);
  const ask = (number: number) =>
    connection.run(
      said(number)
        .map((text) => `echo ${text}`)
        .join(';'),
      { timeoutMs: 20_000 },
    );
  const results = await Promise.all(Array.from({ length: 30 }, (_, number) => ask(number)));
  expect(results.map(({ outcome, reply }) => [outcome, reply])).toEqual(
    results.map((_, number) => ['answered', said(number).join('\n')]),
  );
  const late = Promise.all(Array.from({ length: 30 }, (_, number) => ask(number)));
  own.game.kill('SIGKILL');
  for (const { outcome } of await late) expect(['answered', 'connection lost']).toContain(outcome);
  expect(await connection.ended).not.toBe('');
  expect(await connection.run('echo x', { timeoutMs: 1000 })).toMatchObject({
    outcome: 'connection lost',
    sent: false,
  });
});

/** The console's own words for a wrong password, to the bytes. */
const wrong = async (port: number): Promise<void> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('a\nb\nc\nd\n');
  await socket.toArray().catch(() => undefined);
};

// Guarantee: a console that bans after wrong passwords, or has no room, is a failure with a sentence, and not a wait.
test('a console that refuses this address', async () => {
  const banning = await startEcon('1');
  await wrong(banning.port);
  await eventually(() => expect(banning.said()).toContain('Too many authentication tries'));
  for (const game of consoles) expect(await open(game, banning.port)).toBe('wrong protocol');
});

// Guarantee: a game that dies while someone signs in is a failure at once.
test.each(consoles)('%s: a game that dies', async (game) => {
  const dying = await startEcon('0');
  const opening = open(game, dying.port, 20_000);
  dying.game.kill('SIGKILL');
  expect(await opening).not.toBe('connected');
  expect(await open(game, dying.port)).toBe('connection refused');
});
