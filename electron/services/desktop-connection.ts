import { once } from 'node:events';
import { connect } from 'node:net';
import type { ServiceStep, ServicesResult } from '#contracts/desktop/desktop-services.ts';
import { StartupError } from '#runtime/program.ts';
import { readJson } from '#runtime/read-json.ts';
import {
  type AppAction,
  desktopLine,
  type ElevatedLine,
  hearLines,
  sealFor,
  wireAddress,
  wireNameOf,
  wireNamePattern,
} from './desktop-wire.ts';

/** The elevated end of the wire to the desktop. */
export interface DesktopConnection extends AsyncDisposable {
  /** @throws {StartupError} with the desktop's words when it could not; also when it is gone */
  ask(act: AppAction): Promise<void>;
  step(step: ServiceStep): void;
  access(key: string): void;
  end(result: ServicesResult): void;
}

/** The desktop sends its hello immediately. */
const helloDeadlineMs = 15_000;

/**
 * @throws {StartupError} when nothing listens there, or another program does, which is told nothing: without the desktop
 *   nothing begins
 */
export const connectToDesktop = async (name: string): Promise<DesktopConnection> => {
  if (!wireNamePattern.test(name)) throw new StartupError('Only the desktop can use this command.');
  const socket = connect(wireAddress(name));
  try {
    await once(socket, 'connect');
  } catch (error) {
    throw new StartupError('The desktop that asked for this has closed.', { cause: error });
  }
  let pending: { resolve(): void; reject(error: Error): void } | null = null;
  const hello = Promise.withResolvers<string>();
  hearLines(socket, (text) => {
    const line = readJson(desktopLine, text);
    if (line === null) socket.destroy();
    else if (line.type === 'hello') hello.resolve(line.publicKey);
    else if (line.error === null) pending?.resolve();
    else pending?.reject(new StartupError(line.error));
  });
  socket.once('close', () => {
    const gone = new StartupError('The desktop has closed.');
    hello.reject(gone);
    pending?.reject(gone);
  });
  const impatience = setTimeout(() => socket.destroy(), helloDeadlineMs);
  const publicKey = await hello.promise.finally(() => clearTimeout(impatience));
  if (wireNameOf(publicKey) !== name) {
    socket.destroy();
    throw new StartupError('Another program answers in place of the desktop.');
  }
  const say = (line: ElevatedLine) => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(line)}\n`);
  };
  return {
    async ask(act) {
      if (socket.destroyed) throw new StartupError('The desktop has closed.');
      const answer = Promise.withResolvers<void>();
      pending = answer;
      say({ type: 'ask', act });
      await answer.promise;
      pending = null;
    },
    step: (step) => say({ type: 'step', step }),
    access: (key) => say({ type: 'access', sealed: sealFor(publicKey, key) }),
    end: (result) => say({ type: 'end', result }),
    async [Symbol.asyncDispose]() {
      if (socket.destroyed) return;
      const closed = once(socket, 'close');
      socket.end();
      await closed;
    },
  };
};
