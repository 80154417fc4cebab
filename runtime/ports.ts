import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runSystemProgram } from './windows/system-program.ts';

export interface PortOwner {
  readonly pid: number;
  readonly name: string;
}

/** Null when one of our servers could listen there now, else the system's code for why not, such as EADDRINUSE. */
export const tryPort = (port: number, host = '127.0.0.1'): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });

const triedPorts = 200;

/** The first free port from `first` on, or null when none of the next 200 is free. */
export const findFreePort = async (first: number, host?: string): Promise<number | null> => {
  for (let port = first; port < Math.min(first + triedPorts, 65_536); port += 1)
    if ((await tryPort(port, host)) === null) return port;
  return null;
};

/** Which process listens on the port; null when none does, or when finding out would need more rights. */
export const portOwner = async (port: number): Promise<PortOwner | null> => {
  try {
    return await (process.platform === 'win32' ? ownerOnWindows(port) : ownerOnLinux(port));
  } catch {
    // Only helps an error message: without it, the message names no process.
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
  // Processes of other accounts cannot be inspected, and processes end while we look.
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (sockets.has(await readlink(join(folder, name)).catch(() => ''))) return true;
  return false;
};

/** Reads `netstat -ano` by position, since its words are translated: protocol, local, remote, state, pid. */
export const listenerPidOf = (table: string, port: number): number | null => {
  for (const line of table.split(/\r?\n/)) {
    const [protocol, local, remote, , pid] = line.trim().split(/\s+/);
    // A listener has remote port 0.
    if (protocol === 'TCP' && local?.endsWith(`:${port}`) && remote?.endsWith(':0')) return Number(pid);
  }
  return null;
};

const ownerOnWindows = async (port: number): Promise<PortOwner | null> => {
  const pid = listenerPidOf(await runSystemProgram('netstat.exe', ['-ano']), port);
  if (pid === null) return null;
  const tasks = await runSystemProgram('tasklist.exe', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']);
  const [, name = 'a program'] = /^"([^"]+)"/.exec(tasks.trim()) ?? [];
  return { pid, name };
};
