import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '#runtime/program.ts';

/** Somebody else runs with this state folder. */
export class AlreadyRunningError extends StartupError {}

/**
 * Makes the folder and holds it until disposed: two agents writing one journal could carry out a command twice. The lock is
 * a local socket, which the system frees with the process.
 * @throws {AlreadyRunningError}
 * @throws {StartupError} when the folder cannot be made
 */
export const holdStateFolder = async (folder: string): Promise<AsyncDisposable> => {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new StartupError(`The state folder ${folder} cannot be made: ${error.message}`, { cause: error });
  });
  if (process.platform === 'win32') return holdPipe(folder);
  for (let tried = 1; tried <= tries; tried += 1) {
    const held = await holdSocket(folder);
    if (held !== null) return held;
    // Two that start at the same moment see each other, and both give way.
    if (tried < tries) await delay(Math.random() * tried * longestPauseMs);
  }
  throw alreadyRunning(folder);
};

const tries = 4;
const longestPauseMs = 50;

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path, exclusive: true }, resolve);
  });
const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

const holdPipe = async (folder: string): Promise<AsyncDisposable> => {
  const path = await pipeOf(folder);
  // Not every Windows refuses a second server of the same pipe; whoever answers there holds the folder.
  if (await isAnswered(path)) throw alreadyRunning(folder);
  const server = createServer((socket) => socket.destroy());
  await listen(server, path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? alreadyRunning(folder) : error;
  });
  return { [Symbol.asyncDispose]: () => close(server) };
};

const pipeOf = async (folder: string): Promise<string> => {
  const hash = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 32);
  return `\\\\.\\pipe\\castellan-agent-${hash}`;
};

const lockName = /^lock-[\da-f-]{36}$/;
/** The path itself may be longer than the 107 bytes of a socket's address. */
const below = ({ fd }: FileHandle, name: string): string => `/proc/self/fd/${fd}/${name}`;

/**
 * In the folder itself, where no other account can make one. Each lock has its own name and gets it when it answers: one
 * that does not answer is left from a process that has ended, and no other one takes its name while it is deleted.
 * @returns null when another one answers
 */
const holdSocket = async (folder: string): Promise<AsyncDisposable | null> => {
  const opened = await open(folder, 'r');
  const name = `lock-${randomUUID()}`;
  const server = createServer((socket) => socket.destroy());
  const release = async () => {
    await rm(below(opened, name), { force: true });
    await close(server);
    await opened.close();
  };
  try {
    await listen(server, below(opened, `.${name}`));
    await rename(below(opened, `.${name}`), below(opened, name));
    for (const other of await locksIn(opened)) {
      if (other === name) continue;
      if (await isAnswered(below(opened, other))) {
        await release();
        return null;
      }
      await rm(below(opened, other), { force: true });
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { [Symbol.asyncDispose]: release };
};

const locksIn = async (opened: FileHandle): Promise<string[]> =>
  (await readdir(below(opened, '.'))).filter((name) => lockName.test(name));

/** Whether an agent runs with this folder, as far as this account may see; one that is not there is held by none. */
export const isFolderHeld = async (folder: string): Promise<boolean> => {
  if (process.platform === 'win32') {
    const path = await pipeOf(folder).catch(() => null);
    return path !== null && isAnswered(path);
  }
  await using opened = await open(folder, 'r').catch(() => null);
  if (opened === null) return false;
  for (const name of await locksIn(opened)) if (await isAnswered(below(opened, name))) return true;
  return false;
};

const alreadyRunning = (folder: string): AlreadyRunningError =>
  new AlreadyRunningError(
    `A Game Agent is running already with the state folder ${folder}. Each game server needs an agent with a folder of its own.`,
  );

const isAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
