import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';

/** Why the data folder is locked: by a portal while it runs, or by a command for a moment. */
export type LockPurpose = 'serve' | 'command';

export interface LockHolder {
  readonly pid: number;
  readonly purpose: LockPurpose;
}

export type HomeLock =
  | (AsyncDisposable & { readonly held: true })
  | {
      readonly held: false;
      /** Null if the holder ended while it was asked. */
      readonly holder: LockHolder | null;
    };

/**
 * The lock of a data folder is a local socket named after the folder: the process that can listen holds it, and the
 * kernel releases it when the process dies, for whatever reason.
 */
export const tryToLockHome = async (home: string, purpose: LockPurpose): Promise<HomeLock> => {
  const path = await socketName(home);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(JSON.stringify({ pid: process.pid, purpose } satisfies LockHolder));
  });
  if (!(await startListening(server, path))) return { held: false, holder: await askHolder(path) };
  server.unref();
  return {
    held: true,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
};

const socketName = async (home: string): Promise<string> => {
  const name = createHash('sha256')
    .update(await realpath(home))
    .digest('hex')
    .slice(0, 32);
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\castellan-portal-${name}`
    : `\0castellan-portal-${name}`;
};

const startListening = (server: Server, path: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(path, () => resolve(true));
  });

const answerDeadlineMs = 1000;

const askHolder = (path: string): Promise<LockHolder | null> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(path);
    socket.setTimeout(answerDeadlineMs, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    // A refused connection is followed by `close`, as is an answer.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(parseHolder(text)));
  });

const parseHolder = (text: string): LockHolder | null => {
  try {
    return JSON.parse(text) as LockHolder;
  } catch {
    // The holder was closing: no answer, or half of one.
    return null;
  }
};
