import { createServer } from 'node:net';

const taken = new Set<number>();

/**
 * A port that no one listens on. It is below the system's ephemeral range, so that no outgoing connection of a
 * concurrent test takes it between the check and its use; the start is random for the same reason.
 */
export const freePort = async (): Promise<number> => {
  const port = 10_000 + Math.floor(Math.random() * 22_000);
  if (taken.has(port) || !(await isFree(port))) return freePort();
  taken.add(port);
  return port;
};

export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
