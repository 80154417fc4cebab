import { createHash } from 'node:crypto';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { tryToLockInstallation } from '#runtime/folder-lock.ts';

/** Why the data folder is locked: by a portal while it runs, or by a command for a moment. */
export type LockPurpose = 'serve' | 'command';

export interface LockHolder {
  readonly pid: number;
  readonly purpose: LockPurpose;
  readonly host: string;
}

export type HomeLock =
  | (AsyncDisposable & { readonly held: true })
  | {
      readonly held: false;
      /** Null if the holder ended while it was asked. */
      readonly holder: LockHolder | null;
      /** It is in another container, so nothing of it can be reached. */
      readonly isElsewhere: boolean;
    };

/**
 * The lock of a data folder, which the kernel releases when its process dies, for whatever reason. A process in the same
 * network answers at a local socket who holds it; the holder in another container is read from the folder.
 */
export const tryToLockHome = async (home: string, purpose: LockPurpose): Promise<HomeLock> => {
  const path = await socketName(home);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(JSON.stringify(holderOf(purpose)));
  });
  if (!(await startListening(server, path)))
    return { held: false, holder: await askHolder(path), isElsewhere: false };
  server.unref();
  await using holding = new AsyncDisposableStack();
  holding.defer(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const lock = await tryToLockInstallation(home);
  if (lock === null) return { held: false, holder: await readHolder(home), isElsewhere: true };
  holding.use(lock);
  // Only a person reads it, so a full disk keeps no portal from its lock.
  await writeFile(holderFile(home), JSON.stringify(holderOf(purpose)), { mode: 0o600 }).catch(
    () => undefined,
  );
  const held = holding.move();
  return { held: true, [Symbol.asyncDispose]: () => held.disposeAsync() };
};

/** A sentence for a person. */
export const describeHolder = (
  home: string,
  { holder, isElsewhere }: Extract<HomeLock, { readonly held: false }>,
): string =>
  `The home ${home} is in use by process ${holder?.pid ?? 'unknown'}${isElsewhere ? ` of host ${holder?.host ?? 'unknown'}` : ''}.`;

const holderOf = (purpose: LockPurpose): LockHolder => ({ pid: process.pid, purpose, host: hostname() });

/** What a holder in another container wrote; it stays after its end, when the lock says that there is none. */
const holderFile = (home: string): string => join(home, 'lock-holder.json');

const readHolder = async (home: string): Promise<LockHolder | null> =>
  parseHolder(await readFile(holderFile(home), 'utf8').catch(() => ''));

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
