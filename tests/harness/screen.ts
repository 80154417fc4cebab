import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A virtual screen and a session bus for one test. */
export interface TestScreen extends AsyncDisposable {
  /** The variables by which programs find both. */
  readonly env: Readonly<Record<string, string>>;
}

const size = '1280x800x24';

export const openScreen = async (): Promise<TestScreen> => {
  await using opening = new AsyncDisposableStack();
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  opening.defer(() => end(server));
  const display = await firstLine(server, server.stdio[3] as Readable);
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  opening.defer(() => end(bus));
  const address = await firstLine(bus, bus.stdout);
  const resources = opening.move();
  return {
    env: { DISPLAY: `:${display}`, DBUS_SESSION_BUS_ADDRESS: address },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
};

/** The first line, which a server prints when it is ready. @throws when the program is missing, or ends before that */
const firstLine = async (child: ChildProcess, output: Readable): Promise<string> => {
  const lines = createInterface({ input: output });
  const ended = new AbortController();
  child.once('exit', (code) => ended.abort(new Error(`${child.spawnfile} ended with ${code}`)));
  child.once('error', (error) => ended.abort(error));
  const [line] = await once(lines, 'line', { signal: ended.signal }).catch((error: unknown) => {
    throw ended.signal.aborted ? ended.signal.reason : error;
  });
  return String(line);
};
