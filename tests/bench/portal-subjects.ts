import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Secret } from '#runtime/secret.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { bundleProgram } from '../../build/bundle/bundle-file.ts';
import type { BaselineInput } from './portal-baselines.ts';

/** A server under measurement, in a separate process. */
export interface Subject extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
}

/** Waits until a child prints where it listens. */
export const toSubject = async (
  child: ChildProcess,
  portOf: (line: string) => number | null,
): Promise<Subject> => {
  const exited = once(child, 'exit');
  if (!child.stdout) throw new Error('a subject has no stdout');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = portOf(line);
    if (port === null) continue;
    child.stdout.resume();
    return {
      pid: child.pid ?? 0,
      port,
      async [Symbol.asyncDispose]() {
        child.kill('SIGTERM');
        await exited;
      },
    };
  }
  throw new Error('a subject ended before it listened');
};

/** A portal as it ships, bundled into its data folder, with the given database. */
export const startPortalSubject = async (
  databaseUrl: Secret,
  masterKey: Secret,
  home: string,
): Promise<Subject> => {
  await bundleProgram('portal', home);
  const env = {
    ...systemEnv(),
    PORTAL_HOME: home,
    PORTAL_PORT: '0',
    PORTAL_DATABASE_URL: databaseUrl.reveal(),
    PORTAL_MASTER_KEY: masterKey.reveal(),
    TRUST_PROXY: 'loopback',
  };
  const program = join(home, 'portal.mjs');
  const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return toSubject(child, (line) => {
    const { msg, port } = JSON.parse(line) as { msg?: string; port?: number };
    return msg === 'portal ready' && port !== undefined ? port : null;
  });
};

export const startBaselineSubject = (input: BaselineInput): Promise<Subject> => {
  const program = join(import.meta.dirname, 'portal-baseline-main.ts');
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin?.end(JSON.stringify(input));
  return toSubject(child, Number);
};
