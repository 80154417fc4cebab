import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { foreignServers } from '#harness/available.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';

const packages = join(foreignServers, 'node_modules');
/** One that sends chat unsigned: its clients need no account. */
const version = '1.16.5';

export interface FlyingSquid extends AsyncDisposable {
  readonly port: number;
  /** The log that it writes. */
  readonly log: string;
  kill(): void;
}

const program = `
  const { createMCServer } = require('flying-squid');
  const server = createMCServer(JSON.parse(process.argv[1]));
  server.on('listening', () => console.log('LISTENING'));`;

/** A Minecraft server in JavaScript, as a process of this test in its folder. @throws what it says, when it does not start */
export const startFlyingSquid = async (folder: string): Promise<FlyingSquid> => {
  const port = await freePort();
  await mkdir(join(folder, 'logs'));
  const settings = {
    ...{ motd: 'test', port, 'max-players': 10, 'online-mode': false, logging: true, version },
    ...{ gameMode: 1, difficulty: 1, 'view-distance': 2, 'max-entities': 10, 'everybody-op': true },
    ...{ generation: { name: 'superflat', options: {} }, kickTimeout: 30_000, plugins: {}, modpe: false },
    'player-list-text': { header: { text: '' }, footer: { text: '' } },
  };
  const child = spawn(process.execPath, ['-e', program, JSON.stringify(settings)], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_PATH: packages },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(-8000);
    });
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`flying-squid ended: ${said}`);
    if (!said.includes('LISTENING')) throw new Error(`flying-squid does not listen: ${said}`);
  }, 120_000);
  const [log = ''] = await readdir(join(folder, 'logs'));
  return {
    port,
    log: join(folder, 'logs', log),
    kill: () => void child.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

/** What the test uses of mineflayer's client. */
export interface Client {
  chat(text: string): void;
  quit(): void;
  once(event: 'spawn' | 'end' | 'error', listener: (error?: Error) => void): this;
  on(event: 'message', listener: (message: { toString(): string }) => void): this;
}

interface Mineflayer {
  createBot(options: {
    readonly host: string;
    readonly port: number;
    readonly username: string;
    readonly version: string;
    readonly auth: 'offline';
  }): Client;
}

/** A player's client that has joined. */
export const joinAs = async (username: string, port: number): Promise<Client> => {
  const { createBot } = createRequire(join(packages, 'of-the-test.js'))('mineflayer') as Mineflayer;
  const client = createBot({ host: '127.0.0.1', port, username, version, auth: 'offline' });
  await new Promise<void>((joined, failed) => {
    client.once('spawn', () => joined()).once('error', (error) => failed(error));
  });
  return client;
};
