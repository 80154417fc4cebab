import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { openPseudoTerminal, type PseudoTerminal } from '#harness/pseudo-terminal.ts';
import { findFreePort } from '#runtime/ports.ts';
import { agentMain } from '../../agent/testing/agent-process.ts';

const run = promisify(execFile);
const simulator = resolve(import.meta.dirname, '../simulators/main.ts');
const password = 'the password of its console';

/** The machine of an owner: a folder with a Minecraft server, a terminal, and the `castellan` command. */
export interface OwnerMachine extends AsyncDisposable {
  readonly game: { readonly port: number; readonly password: string };
  /** Starts the game as its owner does before anything else manages it. */
  startByHand(): Promise<void>;
  stopByHand(): Promise<void>;
  /** Pastes the panel's line: what it downloads is already here. */
  paste(line: string): PseudoTerminal;
  castellan(...args: string[]): Promise<string>;
  /** The stack under its supervisor, until `castellan stop` or the end of the machine. */
  startCastellan(): void;
}

export interface OwnerMachineOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly home: string;
  readonly programs: string;
}

const firstPort = 21_000;
const ports = 9000;

export const openOwnerMachine = async (options: OwnerMachineOptions): Promise<OwnerMachine> => {
  const { folder, home, programs } = options;
  await using opening = new AsyncDisposableStack();
  const games = join(folder, 'games');
  const server = join(games, 'harbour');
  const world = join(server, 'world');
  await mkdir(world, { recursive: true });
  const port = await findFreePort(firstPort + Math.floor(Math.random() * ports));
  if (port === null) throw new Error('no port is free');
  const settings = ['level-name=world', 'enable-rcon=true', `rcon.port=${port}`, `rcon.password=${password}`];
  await writeFile(join(server, 'server.properties'), `${settings.join('\n')}\n`);
  await writeFile(join(server, 'eula.txt'), 'eula=true\n');
  await writeFile(join(world, 'level.dat'), 'A simulated world.\n');
  await writeFile(join(server, 'password.txt'), password, { mode: 0o600 });
  const words = [process.execPath, simulator, '--game', 'minecraft', '--port', String(port)];
  words.push('--players', '3', '--echo', '--ends-with', String(process.pid));
  words.push('--password-file', join(server, 'password.txt'), '--level-file', join(world, 'level.json'));
  const script = join(server, 'start.sh');
  await writeFile(script, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')}\n`, { mode: 0o755 });

  let byHand: ChildProcess | null = null;
  const stopByHand = async () => {
    if (byHand === null || byHand.exitCode !== null) return;
    const exited = once(byHand, 'exit');
    byHand.kill('SIGTERM');
    await exited;
    byHand = null;
  };
  opening.defer(stopByHand);
  const env = { ...process.env, CASTELLAN_HOME: home };
  const command = join(programs, 'castellan.mjs');
  const owned = opening.move();
  return {
    game: { port, password },
    stopByHand,
    async startByHand() {
      byHand = spawn(script, { cwd: server, stdio: ['ignore', 'pipe', 'ignore'] });
      if (byHand.stdout) await once(byHand.stdout, 'data');
    },
    paste(line) {
      const argumentOf = (name: string) => new RegExp(`--${name} '([^']+)'`).exec(line)?.[1] ?? '';
      const code = /CASTELLAN_ENROLMENT_CODE ?= ?'([\w-]+)'/.exec(line)?.[1] ?? '';
      const args = ['api', 'enrolment', 'server'].flatMap((name) => [`--${name}`, argumentOf(name)]);
      return openPseudoTerminal(
        [process.execPath, agentMain, 'enrol', ...args, '--home', join(folder, 'agent'), '--foreground'],
        { ...process.env, HOME: games, CASTELLAN_ENROLMENT_CODE: code },
      );
    },
    castellan: async (...args) => {
      const { stdout, stderr } = await run(process.execPath, [command, ...args], { env });
      return stdout + stderr;
    },
    startCastellan() {
      const started = spawn(process.execPath, [command, 'start'], { env, stdio: 'ignore' });
      const exited = once(started, 'exit');
      owned.defer(async () => {
        started.kill('SIGTERM');
        await exited;
      });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
