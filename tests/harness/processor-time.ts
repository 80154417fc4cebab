import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in ticks of this length on every x64 system. */
export const tickMs = 10;

/** A process may end between two looks at it. */
const readOrNull = <Result>(read: () => Result): Result | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

const taskFolder = (pid: number) => `/proc/${pid}/task`;

/** The processes that a process has started and that still run, found through its threads. */
export const childrenOf = (pid: number): readonly number[] =>
  (readOrNull(() => readdirSync(taskFolder(pid))) ?? []).flatMap((thread) => {
    const list = readOrNull(() => readFileSync(`${taskFolder(pid)}/${thread}/children`, 'utf8'));
    return (list ?? '').split(' ').filter(Boolean).map(Number);
  });

/** Its own time and that of the children that it has waited for: fields 14 to 17 of proc(5). */
const ticksOf = (pid: number): number => {
  const line = readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (line === null) return 0;
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
};

const ticksOfFamily = (pid: number): number =>
  childrenOf(pid).reduce((sum, child) => sum + ticksOfFamily(child), ticksOf(pid));

/** Processor time in milliseconds that these processes and everything they started have used; 0 where there is no `/proc`. */
export const processorMs = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + ticksOfFamily(pid), 0) * tickMs;
