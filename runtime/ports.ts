import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { windowsLister } from './windows/listing.ts';
import { runSystemProgram } from './windows/system-program.ts';

interface PortOwner {
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

const nearPorts = 200;
/** Less than the 100 that Windows reserves at once, and no divisor of what programs like to use. */
const stride = 97;
const lowestPort = 1024;
const highestPort = 65_535;
/** Browsers open no page at these, from 1024 on: https://fetch.spec.whatwg.org/#bad-port */
const refusedByBrowsers: ReadonlySet<number> = new Set([
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566],
  ...[6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080],
]);

/** The near ones one by one; then widely, for Hyper-V reserves many ranges in a row (microsoft/WSL#5514); then below. */
function* candidates(first: number): Generator<number> {
  const far = Math.min(first + nearPorts, highestPort + 1);
  for (let port = first; port < far; port += 1) yield port;
  for (let port = far; port <= highestPort; port += stride) yield port;
  for (let port = Math.min(first, highestPort) - 1; port >= lowestPort; port -= stride) yield port;
}

/**
 * The first free port from `first` on; where there is none nearby, one further away, or below. Null when none is found.
 * @param tryOne as `tryPort`
 */
export const findFreePort = async (
  first: number,
  host?: string,
  tryOne = tryPort,
): Promise<number | null> => {
  if (first > highestPort) return null;
  for (const port of candidates(first))
    if (!refusedByBrowsers.has(port) && (await tryOne(port, host)) === null) return port;
  return null;
};

/** What the system's code for a port that cannot be used means, and what to do; empty where the code says it. */
export const portObstacle = (
  obstacle: string,
  port: number,
  platform: NodeJS.Platform = process.platform,
): string => {
  if (obstacle === 'EADDRNOTAVAIL') return 'this computer has no such address';
  if (obstacle !== 'EACCES') return '';
  if (platform === 'win32')
    return 'Windows has reserved it, mostly for Hyper-V, WSL or Docker; `netsh interface ipv4 show excludedportrange protocol=tcp` lists what is reserved';
  return port < lowestPort ? 'ports below 1024 need the rights of root' : 'the system does not allow it';
};

/**
 * Which process has a port that cannot be used for this reason; null: none that can be seen. On Windows a port that someone holds
 * for itself alone answers EACCES (SO_EXCLUSIVEADDRUSE), like one that the system has reserved.
 */
export const obstacleOwner = (obstacle: string, port: number): Promise<PortOwner | null> =>
  obstacle === 'EADDRINUSE' || obstacle === 'EACCES' ? portOwner(port) : Promise.resolve(null);

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
const listeningInodes = (table: string, port: number): string[] => {
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
  const way = ['tasklist.exe', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']] as const;
  const tasks = await windowsLister.list([way], (printed) => printed).catch(() => '');
  const [, name = 'a program'] = /^"([^"]+)"/.exec(tasks.trim()) ?? [];
  return { pid, name };
};
