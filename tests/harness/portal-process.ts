import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemEnv } from '#runtime/system-env.ts';
import { programsFolder } from '../../build/bundle.ts';

export interface PortalProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Sends a signal and waits for the end. @returns the exit code, or the signal that ended it */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** A portal as it ships, on a free port, once it is ready; stopped cleanly when disposed. */
export const servePortal = async ({
  env,
  entry = join(programsFolder, 'portal.mjs'),
  cwd = process.cwd(),
}: {
  readonly env: Readonly<Record<string, string>>;
  /** Default: the bundle in dist/. */
  readonly entry?: string;
  readonly cwd?: string;
}): Promise<PortalProcess> => {
  const child = spawn(process.execPath, [entry, 'serve'], {
    cwd,
    env: { ...systemEnv(), PORTAL_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const { msg, port } = JSON.parse(line) as { msg: string; port: number };
    if (msg !== 'portal ready') continue;
    child.stdout.resume();
    return {
      url: `http://127.0.0.1:${port}`,
      pid: child.pid ?? 0,
      end,
      [Symbol.asyncDispose]: async () => void (await end('SIGTERM')),
    };
  }
  throw new Error(`the portal ended before it was ready:\n${lines.join('\n')}`);
};
