import { setTimeout as delay } from 'node:timers/promises';
import { runSystemProgram } from '#runtime/windows/system-program.ts';
import {
  ageOfTicksMs,
  hasVariable,
  type LinuxProcess,
  listProcesses,
  lookAtProcess,
} from './linux-processes.ts';
import { bootId, launchMark, type ProcessIdentity, sinceBootMs, stillRuns } from './process-identity.ts';
import { descendantsOf, listWindowsProcesses } from './windows-processes.ts';

/** One start of the game, and the resulting process. */
export interface Launched {
  readonly launch: string;
  /** Null while it is unknown. */
  readonly game: ProcessIdentity | null;
}

/** A process of the game; `startedTicks` tells it from a later one with the same pid. */
export type Member = Pick<LinuxProcess, 'pid' | 'parent' | 'startedTicks'>;

/**
 * By mark, the processes without it, which never get it: the programs that a process starts inherit its environment. Reading it
 * of each process of a machine several times a second would cost a tenth of a core.
 */
const unmarked = new Map<string, ReadonlySet<string>>();
const mostMarks = 32;
/** Until then, a new process may still have the environment of the one that starts it. */
const settledMs = 5000;

const isSettled = ({ startedTicks }: LinuxProcess): boolean => ageOfTicksMs(startedTicks) > settledMs;

const rememberUnmarked = (mark: string, others: ReadonlySet<string>): void => {
  unmarked.delete(mark);
  unmarked.set(mark, others);
  const [oldest] = unmarked.keys();
  if (unmarked.size > mostMarks && oldest !== undefined) unmarked.delete(oldest);
};

/**
 * The processes of a launch on Linux, the eldest first: those with its mark, and the session and descendants of a process that is
 * proven to be the game. Processes that left the group and lost their parent keep the mark. If the mark may not be read, the
 * session decides: its number is given to no other process while one of its members lives.
 */
export const familyOf = async ({ launch, game }: Launched): Promise<Member[]> => {
  const mark = launchMark(launch);
  const all = (await listProcesses()).filter(({ isZombie, pid }) => !isZombie && pid !== process.pid);
  const isProven = game !== null && (await stillRuns(game, launch));
  const members = new Map<number, LinuxProcess>();
  const known = unmarked.get(mark);
  const others = new Set<string>();
  for (const one of all) {
    const inSession = isProven && (one.pid === game.pid || one.session === game.pid);
    const identity = `${one.pid} ${one.startedTicks}`;
    const isKnown = known?.has(identity) === true;
    const isMarked = inSession || (isKnown ? false : await hasVariable(one.pid, mark));
    if (isMarked === false && (isKnown || isSettled(one))) others.add(identity);
    if (isMarked ?? isHiddenMember(one, game)) members.set(one.pid, one);
  }
  rememberUnmarked(mark, others);
  for (let known = -1; known !== members.size; ) {
    known = members.size;
    for (const one of all) if (members.has(one.parent)) members.set(one.pid, one);
  }
  return [...members.values()].sort((a, b) => a.startedTicks - b.startedTicks || a.pid - b.pid);
};

const isHiddenMember = ({ session, startedTicks }: LinuxProcess, game: ProcessIdentity | null): boolean =>
  game !== null &&
  game.boot === bootId() &&
  session === game.pid &&
  startedTicks >= Number(game.started || Number.NaN);

/** On Windows, the eldest living process that the game's process has started: a batch file ends, and its game continues. */
export const eldestOnWindows = async (game: ProcessIdentity | null): Promise<ProcessIdentity | null> => {
  if (game === null || game.started === '' || game.boot !== bootId()) return null;
  const all = await listWindowsProcesses();
  const eldest = descendantsOf(all, { pid: game.pid, created: game.started }).find(
    // The window of a console, which belongs to any program that has one.
    ({ program }) => !/\\conhost\.exe$/i.test(program),
  );
  return eldest
    ? { pid: eldest.pid, started: eldest.created, program: eldest.program, boot: game.boot }
    : null;
};

const roundMs = 50;

/** Kills them. @returns the members left after the deadline, which only a process inside the kernel outlives */
export const killFamily = async (launched: Launched, deadlineMs = 10_000): Promise<readonly Member[]> => {
  if (process.platform === 'win32') {
    await killOnWindows(launched);
    return [];
  }
  const until = sinceBootMs() + deadlineMs;
  let left = await familyOf(launched);
  // Once more after none is found: one that was being forked may have been missed.
  for (let empty = 0; empty < 2; ) {
    signalMembers(left, 'SIGKILL');
    if (sinceBootMs() > until) return left;
    await delay(roundMs);
    left = await familyOf(launched);
    empty = left.length === 0 ? empty + 1 : 0;
  }
  return [];
};

/** Signals each member that is still the process that was found. */
export const signalMembers = (members: readonly Member[], signal: NodeJS.Signals): void => {
  for (const { pid, startedTicks } of members) {
    if (lookAtProcess(pid)?.startedTicks !== startedTicks) continue;
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended in between, or belongs to another account and cannot be signalled: the caller looks again.
    }
  }
};

const killOnWindows = async ({ launch, game }: Launched): Promise<void> => {
  if (game === null || !(await stillRuns(game, launch))) return;
  await killWindowsTree(game.pid);
};

/** The caller has verified whose pid it is, or holds the process. */
export const killWindowsTree = (pid: number): Promise<unknown> =>
  // 128: the process no longer exists.
  runSystemProgram('taskkill.exe', ['/PID', String(pid), '/T', '/F']).catch(() => null);
