import { readFileSync, readlinkSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';

/** A process as `/proc` shows it. */
export interface LinuxProcess {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** Clock ticks after the start of the machine; together with the pid it names one process until the next boot. */
  readonly startedTicks: number;
  readonly isZombie: boolean;
}

/** The value of `sysconf(_SC_CLK_TCK)` on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Null when there is no such process. */
export const lookAtProcess = (pid: number): LinuxProcess | null => {
  try {
    return parseStat(pid, readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return null;
  }
};

/** Fields of proc_pid_stat(5) after the program's name, which may itself contain brackets and spaces. */
const parseStat = (pid: number, stat: string): LinuxProcess | null => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, , session] = fields;
  const startedTicks = Number(fields[19]);
  if (state === undefined || !Number.isSafeInteger(startedTicks)) return null;
  return {
    pid,
    parent: Number(parent),
    session: Number(session),
    startedTicks,
    isZombie: state === 'Z' || state === 'X',
  };
};

export const listProcesses = async (): Promise<LinuxProcess[]> =>
  (await readdir('/proc'))
    .filter((name) => /^\d+$/.test(name))
    .map((name) => lookAtProcess(Number(name)))
    .filter((found) => found !== null);

/** Null when it is hidden, or the process is gone. A program whose file was replaced, as by an update, keeps its path. */
export const programOf = async (pid: number): Promise<string | null> =>
  (await readlink(`/proc/${pid}/exe`).catch(() => null))?.replace(/ \(deleted\)$/, '') ?? null;

export const programOfSync = (pid: number): string | null => {
  try {
    return readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
  } catch {
    return null;
  }
};

/**
 * Whether the process was started with this variable in its environment; null when its environment may not be read. The kernel
 * lets the reader wait while the process hangs on a dead drive.
 */
export const hasVariable = async (pid: number, assignment: string): Promise<boolean | null> => {
  try {
    return (await readFile(`/proc/${pid}/environ`, 'latin1')).split('\0').includes(assignment);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM' ? null : false;
  }
};

/** Whether one of them listens on a TCP port or waits on a UDP port. */
export const listenOnPort = async (pids: readonly number[]): Promise<boolean> => {
  const held = new Set((await Promise.all(pids.map(socketsOf))).flat());
  for (const [table, state] of portTables) {
    const rows = (await readFile(`/proc/net/${table}`, 'latin1').catch(() => '')).split('\n').slice(1);
    // Fields of proc_net_tcp(5): the 4th is the state, the 10th the inode.
    const fields = rows.map((row) => row.trim().split(/\s+/));
    if (fields.some((field) => field[3] === state && held.has(field[9] ?? ''))) return true;
  }
  return false;
};
/** TCP_LISTEN, and an unconnected UDP socket. */
const portTables = [
  ['tcp', '0A'],
  ['tcp6', '0A'],
  ['udp', '07'],
  ['udp6', '07'],
] as const;

const socketsOf = async (pid: number): Promise<string[]> => {
  const open = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(open.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
};

/** Different after each start of the machine. */
export const readBootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

export const ageOfTicksMs = (startedTicks: number): number => {
  const uptimeSeconds = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
  return Math.max(0, (uptimeSeconds - startedTicks / ticksPerSecond) * 1000);
};
