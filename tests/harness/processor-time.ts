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
const ticksOf = (pid: number): { readonly own: number; readonly waitedFor: number } => {
  const line = readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (line === null) return { own: 0, waitedFor: 0 };
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [user, system, waitedUser, waitedSystem] = fields.slice(11, 15).map(Number);
  return { own: (user ?? 0) + (system ?? 0), waitedFor: (waitedUser ?? 0) + (waitedSystem ?? 0) };
};

const ticksOfFamily = (pid: number): number => {
  const { own, waitedFor } = ticksOf(pid);
  return childrenOf(pid).reduce((sum, child) => sum + ticksOfFamily(child), own + waitedFor);
};

export interface ProcessorTime {
  readonly ms: number;
  /** The part of it that was used by what these processes have started. */
  readonly startedMs: number;
}

/** Processor time that these processes and everything they started have used; 0 where there is no `/proc`. */
export const processorTime = (pids: readonly number[]): ProcessorTime => {
  let [own, started] = [0, 0];
  for (const pid of pids) {
    const ticks = ticksOf(pid);
    own += ticks.own;
    started += ticks.waitedFor + childrenOf(pid).reduce((sum, child) => sum + ticksOfFamily(child), 0);
  }
  return { ms: (own + started) * tickMs, startedMs: started * tickMs };
};
