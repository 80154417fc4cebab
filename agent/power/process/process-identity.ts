import * as z from 'zod';
import {
  ageOfTicksMs,
  hasVariable,
  lookAtProcess,
  programOf,
  programOfSync,
  readBootId,
} from './linux-processes.ts';
import { listWindowsProcesses, readWindowsBoot } from './windows-processes.ts';

/** One process of all that ever had its number. */
export const processIdentity = z.object({
  pid: z.int().positive(),
  /** Ticks since the start of the machine on Linux, the time of creation on Windows. */
  started: z.string(),
  program: z.string(),
  boot: z.string(),
});
export type ProcessIdentity = z.infer<typeof processIdentity>;

const isWindows = process.platform === 'win32';

/** Milliseconds since the machine started: the same for every process, and no clock that is set moves them. */
export const sinceBootMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Of this start of the machine. */
export const bootId = (): string => {
  if (!isWindows) return readBootId();
  windowsBoot ??= readWindowsBoot();
  return windowsBoot;
};
let windowsBoot: string | null = null;

/**
 * Whether something was written since this start of the machine: also where Windows does not name its starts, the clock since
 * the start has then not come as far yet.
 * @param atMs milliseconds since the start of the machine when it was written
 */
export const isOfThisBoot = (boot: string, atMs: number): boolean =>
  boot === bootId() && atMs <= sinceBootMs();

/** Null when there is no such process. A program that may not be looked at is the empty text. */
export const identify = async (pid: number): Promise<ProcessIdentity | null> => {
  if (isWindows) {
    const found = (await listWindowsProcesses()).find((one) => one.pid === pid);
    return found ? { pid, started: found.created, program: found.program, boot: bootId() } : null;
  }
  const program = (await programOf(pid)) ?? '';
  return asIdentity(pid, program);
};

/** At once; null on Windows, which is asked by a program. */
export const identifyNow = (pid: number): ProcessIdentity | null => asIdentity(pid, programOfSync(pid) ?? '');

const asIdentity = (pid: number, program: string): ProcessIdentity | null => {
  const found = lookAtProcess(pid);
  return found && !found.isZombie
    ? { pid, started: String(found.startedTicks), program, boot: bootId() }
    : null;
};

/** In the environment of a game and of all that it starts. */
export const launchVariable = 'CASTELLAN_LAUNCH';
export const launchMark = (launch: string): string => `${launchVariable}=${launch}`;

/**
 * Whether this process still runs: pid, start and program must agree. Only the launch's mark stands in for a program that has
 * changed, as `exec` in a start script does. On Linux a pid and its start name one process already, so that a program which
 * may not be looked at, of another account or with capabilities, is no contradiction.
 */
export const stillRuns = async (identity: ProcessIdentity, launch: string): Promise<boolean> => {
  if (identity.boot !== bootId() || identity.started === '') return false;
  const now = await identify(identity.pid);
  if (now?.started !== identity.started) return false;
  if (now.program !== '' && now.program === identity.program) return true;
  if (isWindows) return false;
  if (now.program === '' || identity.program === '') return true;
  return (await hasVariable(identity.pid, launchMark(launch))) !== false;
};

/** Since the process started, in milliseconds; null where it is not known. */
export const ageMs = ({ started }: ProcessIdentity): number | null =>
  isWindows ? windowsAgeMs(started) : ageOfTicksMs(Number(started));

/** File times count 100 ns since 1601. */
const fileTimeEpochMs = Date.UTC(1601, 0, 1);
const windowsAgeMs = (created: string): number | null =>
  /^\d{17,19}$/.test(created) ? Math.max(0, Date.now() - (Number(created) / 10_000 + fileTimeEpochMs)) : null;
