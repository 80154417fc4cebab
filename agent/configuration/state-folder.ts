import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
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
  const path = await lockOf(folder);
  // Not every Windows refuses a second server of the same pipe; whoever answers there holds the folder.
  if (await isAnswered(path)) throw alreadyRunning(folder);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path, exclusive: true }, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? alreadyRunning(folder) : error;
  });
  return {
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

const lockOf = async (folder: string): Promise<string> => {
  const hash = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 32);
  return process.platform === 'win32' ? `\\\\.\\pipe\\castellan-agent-${hash}` : `\0castellan-agent-${hash}`;
};

/** Whether an agent runs with this folder; one that is not there is held by none. */
export const isFolderHeld = async (folder: string): Promise<boolean> => {
  const path = await lockOf(folder).catch(() => null);
  return path !== null && isAnswered(path);
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
