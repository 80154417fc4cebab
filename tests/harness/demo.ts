import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The line that the demo prints when everything is healthy. */
export interface DemoInfo {
  readonly apiUrl: string;
  readonly portalUrl: string;
  readonly licenseKey: string;
  readonly hwid: string;
  readonly home: string;
  readonly databaseUrl: string;
  readonly portalDatabaseUrl: string;
  readonly licensePublicKey: string;
  readonly admin: { readonly name: string; readonly password: string };
  readonly servers: readonly {
    readonly id: string;
    readonly name: string;
    readonly game: string;
    readonly port: number;
    readonly hasAgent: boolean;
  }[];
  /** Absent without game servers. */
  readonly store?: { readonly productId: string; readonly memberId: string };
  /** A simulated Discord, if requested. */
  readonly discord?: {
    readonly url: string;
    readonly guildId: string;
    readonly channelIds: Readonly<Record<string, string>>;
  };
  readonly pids: Readonly<Record<string, number>>;
}

export interface Demo extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly info: DemoInfo;
  /** What it has printed for people until now. */
  readonly said: readonly string[];
}

const root = resolve(import.meta.dirname, '../..');
export const readyMark = 'CASTELLAN DEMO READY ';
const lastPort = 30_000;

export interface DemoOptions {
  /** Without game servers. */
  readonly bare?: boolean;
  /** With a simulated Discord. */
  readonly discord?: boolean;
  /** A copy of the programs, to run instead of those in dist/. */
  readonly programs?: string;
}

/** Runs `npm run demo` as a person would, on its own ports; disposing ends it as Ctrl-C does. */
export const startDemo = async (
  home?: string,
  { bare = false, discord = false, programs }: DemoOptions = {},
): Promise<Demo> => {
  const port = 11_000 + Math.floor(Math.random() * (lastPort - 11_000));
  const args = [
    '--max-semi-space-size=1',
    'build/demo.ts',
    '--port',
    String(port),
    ...(home ? ['--home', home] : []),
  ];
  if (bare) args.push('--bare');
  if (discord) args.push('--discord');
  const env = { ...process.env, ...(programs && { CASTELLAN_PROGRAMS: programs }) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith(readyMark)) {
      return {
        process: child,
        said,
        info: JSON.parse(line.slice(readyMark.length)),
        async [Symbol.asyncDispose]() {
          child.kill('SIGINT');
          await exited;
        },
      };
    }
  }
  throw new Error(`the demo ended before it was ready:\n${said.join('\n')}`);
};
