import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAbsent } from '#runtime/absent-file.ts';
import { isAlive } from '#runtime/live-process.ts';
import { StartupError } from '#runtime/program.ts';

/** Another process runs with this state folder. */
export class AlreadyRunningError extends StartupError {}

/**
 * Creates the folder and holds it until disposed: two agents writing one journal could carry out a command twice.
 * @throws {AlreadyRunningError}
 * @throws {StartupError} when the folder cannot be created
 */
export const holdStateFolder = async (folder: string): Promise<AsyncDisposable> => {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new StartupError(`The state folder ${folder} cannot be created: ${error.message}`, {
      cause: error,
    });
  });
  const held = await lockFolder(folder);
  if (held === null) throw alreadyRunning(folder);
  return held;
};

/**
 * The lock is in the folder itself, where no other account can take it or appear to have it, and the system releases it when the
 * process ends.
 * @returns null when another process has it
 */
export const lockFolder = async (folder: string): Promise<AsyncDisposable | null> => {
  for (let tried = 1; ; tried += 1) {
    const held = await (process.platform === 'win32' ? holdFile(folder) : holdSocket(folder));
    // On Linux, two processes that start at the same moment see each other and both give way; on Windows a scanner may have the file open.
    if (held !== null || tried === tries) return held;
    await delay(Math.random() * tried * longestPauseMs);
  }
};

const tries = 4;
const longestPauseMs = 50;

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path, exclusive: true }, resolve);
  });
const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

const exclusiveFile = (folder: string): string => join(folder, 'lock');
/** libuv's UV_FS_O_EXLOCK, which Node passes on without naming it: Windows lets no other process open the file. */
const openAlone = constants.O_RDWR | constants.O_CREAT | 0x10_00_00_00;

/** @returns null when another process has the file open */
const holdFile = async (folder: string): Promise<AsyncDisposable | null> => {
  const file = await open(exclusiveFile(folder), openAlone).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EBUSY') return null;
    throw error;
  });
  return file && { [Symbol.asyncDispose]: () => file.close() };
};

const lockName = /^lock-[\da-f-]{36}$/;
/** Left by a process that was killed before its lock had its name. */
const unnamedLock = /^\.lock-[\da-f-]{36}$/;
/** Its name before it answers, with the process id. */
const comingName = /^\.lock-[\da-f-]{36}-(\d+)$/;
/** The path itself may be longer than the 107 bytes of a socket's address. */
const below = ({ fd }: FileHandle, name: string): string => `/proc/self/fd/${fd}/${name}`;

/**
 * In the folder itself, where no other account can create one. Each lock has its own name and gets it once it answers: one that
 * does not answer was left by an ended process, and no other lock takes its name while it is deleted.
 * @returns null when another lock answers
 */
const holdSocket = async (folder: string): Promise<AsyncDisposable | null> => {
  const opened = await open(folder, 'r');
  const name = `lock-${randomUUID()}`;
  const server = createServer((socket) => socket.destroy());
  const coming = `.${name}-${process.pid}`;
  const release = async () => {
    await rm(below(opened, name), { force: true });
    await close(server);
    await opened.close();
  };
  try {
    await listen(server, below(opened, coming));
    await rename(below(opened, coming), below(opened, name));
    await removeDead(opened);
    for (const other of await locksIn(opened)) {
      if (other === name) continue;
      if (await isAnswered(below(opened, other))) {
        await release();
        return null;
      }
      await rm(below(opened, other), { force: true });
    }
    for (const other of (await readdir(below(opened, '.'))).filter((one) => unnamedLock.test(one)))
      if (!(await isAnswered(below(opened, other)))) await rm(below(opened, other), { force: true });
  } catch (error) {
    await release();
    // Another process that is just starting mistook it for a leftover of a killed one.
    if (isAbsent(error)) return null;
    throw error;
  }
  return { [Symbol.asyncDispose]: release };
};

/** Removes what processes left that were killed before they answered. A process of another container is invisible, and needs a moment. */
const removeDead = async (opened: FileHandle): Promise<void> => {
  for (const name of await readdir(below(opened, '.'))) {
    const pid = comingName.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const made = await stat(below(opened, name)).catch(() => null);
    if (made && Date.now() - made.mtimeMs > longestComingMs) await rm(below(opened, name), { force: true });
  }
};
const longestComingMs = 60_000;

const locksIn = async (opened: FileHandle): Promise<string[]> =>
  (await readdir(below(opened, '.'))).filter((name) => lockName.test(name));

/** Whether an agent runs with this folder, as far as this account can see; a missing folder is held by no one. */
export const isFolderHeld = async (folder: string): Promise<boolean> => {
  if (process.platform === 'win32') {
    return open(exclusiveFile(folder), 'r').then(
      async (file) => {
        await file.close();
        return false;
      },
      (error: NodeJS.ErrnoException) => error.code === 'EBUSY',
    );
  }
  await using opened = await open(folder, 'r').catch(() => null);
  if (opened === null) return false;
  for (const name of await locksIn(opened)) if (await isAnswered(below(opened, name))) return true;
  return false;
};

const alreadyRunning = (folder: string): AlreadyRunningError =>
  new AlreadyRunningError(
    `A Game Agent is already running with the state folder ${folder}. Each game server needs an agent with its own folder.`,
  );

const isAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    // Any other error, such as too many waiting connections, means that a process is listening.
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });
