import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const againMs = 50;

/** A name that the system forgets together with the process that has it: no lock outlives a killed build. */
const addressOf = (root: string): string | null => {
  const name = `castellan-build-${createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 24)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : null;
};

/**
 * One build of a checkout at a time, so that a second one finds everything built. Where it cannot be seen, as between
 * containers, both build, and the stamps still tell what is current.
 * @param onWait another build is running
 */
export const lockBuild = async (root: string, onWait: () => void): Promise<Disposable> => {
  const address = addressOf(root);
  if (address === null) return { [Symbol.dispose]: () => undefined };
  for (let hasWaited = false; ; hasWaited = true) {
    const server = await listen(address);
    if (server) return { [Symbol.dispose]: () => void server.close() };
    if (!hasWaited) onWait();
    await untilClosed(address);
  }
};

/** Null while another process has it. */
const listen = (address: string): Promise<Server | null> =>
  new Promise((resolve, reject) => {
    // A connection lives as long as the build that it waits for.
    const server = createServer((waiting) => waiting.on('error', () => undefined).unref());
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(null) : reject(error),
    );
    server.listen(address, () => resolve(server.unref()));
  });

const untilClosed = async (address: string): Promise<void> => {
  const waiting = connect(address);
  waiting.resume();
  await new Promise<void>((resolve) => {
    waiting.on('error', () => undefined).on('close', () => resolve());
  });
  await delay(againMs);
};
