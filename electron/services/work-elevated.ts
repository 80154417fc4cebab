import { generateKeyPair, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import type { ServiceStep, ServicesAction, ServicesResult } from '#contracts/desktop/desktop-services.ts';
import { isWindowsEnd, windowsAnswerText } from '#contracts/kernel/windows-codes/windows-answer.ts';
import type { ComponentName } from '#contracts/operations/stack.ts';
import { readJson } from '#runtime/read-json.ts';
import type { Secret } from '#runtime/secret.ts';
import type { RunElevated } from '../elevation/run-elevated.ts';
import {
  type AppAction,
  type DesktopLine,
  elevatedLine,
  hearLines,
  unseal,
  wireAddress,
  wireNameOf,
} from './desktop-wire.ts';

const newKeyPair = promisify(generateKeyPair);

/** Time to receive the last words of the process that has ended; whatever stays connected longer is another program. */
const afterwardsMs = 2000;

export interface ElevatedWork {
  readonly act: ServicesAction;
  readonly home: string;
  /** The account of the operating system that the desktop runs under, in words. */
  readonly user: string;
  readonly component?: ComponentName | undefined;
  readonly runElevated: RunElevated;
  readonly onStep: (step: ServiceStep) => void;
  /** Receives the key of this desktop to the API of the services. */
  readonly onAccess: (key: Secret) => Promise<void>;
  /** Stops or starts the stack of app mode; rejects when that fails. */
  readonly perform: (act: AppAction) => Promise<void>;
}

/**
 * Lets a process with an administrator's rights change the services, and does for it what only the desktop can. That process
 * may run under another account, which knows of ours only what its arguments say.
 */
export const workElevated = async (work: ElevatedWork): Promise<ServicesResult> => {
  const { act, home, user, component } = work;
  const { publicKey, privateKey } = await newKeyPair('rsa', { modulusLength: 2048 });
  const shownKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const name = wireNameOf(shownKey);
  let result: ServicesResult | null = null;
  const sockets = new Set<Socket>();
  const talks: Promise<void>[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    /** Others may connect, and receive a public key; the first that speaks is the process that was started. */
    const onSpeak = () => {
      server.close();
      for (const other of sockets) if (other !== socket) other.destroy();
    };
    const onEnd = (told: ServicesResult) => {
      result = told;
    };
    talks.push(attend(socket, { ...work, privateKey, shownKey, onSpeak, onEnd }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: wireAddress(name), exclusive: true }, resolve);
  });
  try {
    const one = component === undefined ? {} : { component };
    const elevation = await work.runElevated({
      act: 'services',
      change: act,
      home,
      wire: name,
      user,
      ...one,
    });
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, afterwardsMs);
    await Promise.all(talks).finally(() => clearTimeout(cut));
    if (result !== null) return result;
    if (elevation.outcome === 'refused' || elevation.outcome === 'impossible')
      return { outcome: elevation.outcome };
    const code = elevation.exitCode;
    if (!isWindowsEnd(code))
      return {
        outcome: 'failed',
        fault: 'other',
        detail: `It ended with exit code ${code} and gave no reason.`,
      };
    const answer = { asked: `castellan services ${act}`, code };
    return { outcome: 'failed', fault: 'other', detail: windowsAnswerText(answer, 'en'), answer };
  } finally {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
};

/** Serves a connection until the other end is gone. */
const attend = async (
  socket: Socket,
  {
    onStep,
    onAccess,
    perform,
    privateKey,
    shownKey,
    onSpeak,
    onEnd,
  }: Pick<ElevatedWork, 'onStep' | 'onAccess' | 'perform'> & {
    readonly privateKey: KeyObject;
    /** Its public half, as it is sent. */
    readonly shownKey: string;
    readonly onSpeak: () => void;
    readonly onEnd: (result: ServicesResult) => void;
  },
): Promise<void> => {
  const closed = once(socket, 'close');
  const say = (line: DesktopLine) => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(line)}\n`);
  };
  const answer = (error: string | null) => say({ type: 'answer', error });
  say({ type: 'hello', publicKey: shownKey });
  const doing: Promise<void>[] = [];
  hearLines(socket, (text) => {
    const line = readJson(elevatedLine, text);
    const key = line?.type === 'access' ? unseal(privateKey, line.sealed) : null;
    if (line === null || (line.type === 'access' && key === null)) return void socket.destroy();
    onSpeak();
    if (key) doing.push(onAccess(key));
    else if (line.type === 'step') onStep(line.step);
    else if (line.type === 'end') onEnd(line.result);
    else if (line.type === 'ask')
      doing.push(
        perform(line.act).then(
          () => answer(null),
          (error: Error) => answer(error.message),
        ),
      );
  });
  await closed;
  await Promise.all(doing);
};
