import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtProgram } from '#harness/built-program.ts';

export interface AgentProcess extends AsyncDisposable {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>;
  kill(signal: NodeJS.Signals): void;
}

/** The agent as a run of the tests has built it, which starts in a third of its source's time. */
export const agentMain = builtProgram('agent', join(import.meta.dirname, '../main.ts'));

/** The agent in a separate process; killed when disposed. */
export const startAgentProcess = (...args: string[]): AgentProcess => startAgentFrom(agentMain, ...args);

/** The same from another program than its source, such as its bundle. */
export const startAgentFrom = (program = agentMain, ...args: string[]): AgentProcess =>
  start(process.execPath, [program, ...args]);

/** None of its files can grow beyond 8 KiB (16 blocks of 512 bytes). */
export const startOnSmallDisk = (...args: string[]): AgentProcess =>
  start('sh', ['-c', 'ulimit -f 16; exec "$0" "$@"', process.execPath, agentMain, ...args]);

const start = (program: string, args: readonly string[]): AgentProcess => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  const exited = once(child, 'close').then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals);
  return {
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    exited,
    kill: (signal) => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

/** @returns the path of a config.json in the folder */
export const writeConfig = async (folder: string, config: unknown): Promise<string> => {
  const path = join(folder, 'config.json');
  await writeFile(path, JSON.stringify(config), { mode: 0o600 });
  return path;
};
