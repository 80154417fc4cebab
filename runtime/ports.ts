import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const commandTimeoutMs = 5000;

export interface PortOwner {
  readonly pid: number;
  readonly name: string;
}

/** Whether a server of ours could listen there now. */
export const isPortFree = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

const triedPorts = 200;

/** The first free port from `first` on, or null when none of the next 200 is. */
export const findFreePort = async (first: number, host?: string): Promise<number | null> => {
  for (let port = first; port < Math.min(first + triedPorts, 65_536); port += 1)
    if (await isPortFree(port, host)) return port;
  return null;
};

/** Which process listens on the port; null when nobody does, or when it may not be known without more rights. */
export const portOwner = async (port: number): Promise<PortOwner | null> => {
  try {
    return await (process.platform === 'win32' ? ownerOnWindows(port) : ownerOnLinux(port));
  } catch {
    // A courtesy in an error message: what cannot be found out is left unsaid.
    return null;
  }
};

const listening = '0A';

/** Inodes of the sockets that listen on `port`, from the text of /proc/net/tcp or tcp6. */
export const listeningInodes = (table: string, port: number): string[] => {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === listening && local?.endsWith(`:${wanted}`))
    .map((fields) => fields[9] ?? '');
};

const ownerOnLinux = async (port: number): Promise<PortOwner | null> => {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(join('/proc/net', name), 'utf8').catch(() => '')),
  );
  const sockets = new Set(
    tables.flatMap((table) => listeningInodes(table, port)).map((inode) => `socket:[${inode}]`),
  );
  if (sockets.size === 0) return null;
  for (const pid of await readdir('/proc')) {
    if (/^\d+$/.test(pid) && (await holdsOneOf(pid, sockets)))
      return { pid: Number(pid), name: (await readFile(join('/proc', pid, 'comm'), 'utf8')).trim() };
  }
  return null;
};

const holdsOneOf = async (pid: string, sockets: ReadonlySet<string>): Promise<boolean> => {
  const folder = join('/proc', pid, 'fd');
  // Other people's processes cannot be looked into, and processes end while we look.
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (sockets.has(await readlink(join(folder, name)).catch(() => ''))) return true;
  return false;
};

/** From `netstat -ano`, by position, since its words are translated: protocol, local, remote, state, pid. */
export const listenerPidOf = (table: string, port: number): number | null => {
  for (const line of table.split(/\r?\n/)) {
    const [protocol, local, remote, , pid] = line.trim().split(/\s+/);
    // A listener is known by its remote port 0.
    if (protocol === 'TCP' && local?.endsWith(`:${port}`) && remote?.endsWith(':0')) return Number(pid);
  }
  return null;
};

const ownerOnWindows = async (port: number): Promise<PortOwner | null> => {
  const options = { timeout: commandTimeoutMs, windowsHide: true };
  const pid = listenerPidOf((await run('netstat', ['-ano'], options)).stdout, port);
  if (pid === null) return null;
  const tasks = await run('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'], options);
  const [, name = 'a program'] = /^"([^"]+)"/.exec(tasks.stdout.trim()) ?? [];
  return { pid, name };
};
