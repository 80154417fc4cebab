import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Builds the agent's programs for this checkout in another process while everything else starts; the panel says that they are not there yet. Without them
 * only their download is missing. The process ends with the caller, or when disposed.
 */
export const prepareAgentProgramsBeside = (say: (line: string) => void): AsyncDisposable => {
  // A copy that a test made stays unchanged.
  if (process.env.CASTELLAN_PROGRAMS !== undefined) return { [Symbol.asyncDispose]: async () => undefined };
  const working = mkdtemp(join(tmpdir(), 'castellan-agent-programs-'));
  const ending = new AbortController();
  const make = async () => {
    const folder = await working;
    try {
      if (ending.signal.aborted) return;
      const env = { ...process.env, TMPDIR: folder };
      // A process group of its own, so that everything it starts ends with it.
      const making = spawn(process.execPath, [join(import.meta.dirname, 'agent-programs.ts')], {
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
        detached: process.platform !== 'win32',
      });
      const kill = () => {
        if (process.platform === 'win32') making.kill('SIGKILL');
        else if (making.pid !== undefined && making.exitCode === null && making.signalCode === null)
          process.kill(-making.pid, 'SIGKILL');
      };
      const leave = () => {
        kill();
        rmSync(folder, { recursive: true, force: true });
      };
      // What a person waits for comes first.
      if (making.pid !== undefined) setPriority(making.pid, constants.priority.PRIORITY_BELOW_NORMAL);
      // It must not keep this process alive.
      making.unref();
      (making.stderr as Socket).unref();
      process.once('exit', leave);
      const end = () => {
        making.ref();
        kill();
      };
      ending.signal.addEventListener('abort', end, { once: true });
      let complaint = '';
      making.stderr.setEncoding('utf8').on('data', (text: string) => {
        complaint = `${complaint}${text}`.slice(-2000);
      });
      const [exitCode] = await once(making, 'close');
      process.off('exit', leave);
      if (exitCode !== 0 && !ending.signal.aborted)
        say(`Could not build the agent's programs, so the panel cannot offer them: ${complaint.trim()}`);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  const made = make().catch((error: Error) => say(`Could not build the agent's programs: ${error.message}`));
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await made;
    },
  };
};
