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

/** Identifies one process among all that ever had its pid. */
export const processIdentity = z.object({
  pid: z.int().positive(),
  /** Ticks since the start of the machine on Linux, the time of creation on Windows. */
  started: z.string(),
  program: z.string(),
  boot: z.string(),
});
export type ProcessIdentity = z.infer<typeof processIdentity>;

const isWindows = process.platform === 'win32';

/** Milliseconds since the machine started: the same for every process, and unaffected by clock changes. */
export const sinceBootMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Identifies this start of the machine. */
export const bootId = (): string => {
  if (!isWindows) return readBootId();
  windowsBoot ??= readWindowsBoot();
  return windowsBoot;
};
let windowsBoot: string | null = null;

/**
 * Whether something was written since this start of the machine. It works even if Windows has no boot id, because the clock since
 * the start has then not reached that time yet.
 * @param atMs milliseconds since the start of the machine when it was written
 */
export const isOfThisBoot = (boot: string, atMs: number): boolean =>
  boot === bootId() && atMs <= sinceBootMs();

/** Null when there is no such process. A program that may not be read is the empty text. */
export const identify = async (pid: number): Promise<ProcessIdentity | null> => {
  if (isWindows) {
    const found = (await listWindowsProcesses()).find((one) => one.pid === pid);
    return found ? { pid, started: found.created, program: found.program, boot: bootId() } : null;
  }
  const program = (await programOf(pid)) ?? '';
  return asIdentity(pid, program);
};

/** Synchronous; null on Windows, where a program has to be run for it. */
export const identifyNow = (pid: number): ProcessIdentity | null => asIdentity(pid, programOfSync(pid) ?? '');

const asIdentity = (pid: number, program: string): ProcessIdentity | null => {
  const found = lookAtProcess(pid);
  return found && !found.isZombie
    ? { pid, started: String(found.startedTicks), program, boot: bootId() }
    : null;
};

/** Set in the environment of a game and of everything that it starts. */
export const launchVariable = 'CASTELLAN_LAUNCH';
export const launchMark = (launch: string): string => `${launchVariable}=${launch}`;

/**
 * Whether this process still runs: pid, start and program must agree. Only the launch's mark can replace a changed program, as
 * after `exec` in a start script. On Linux a pid and its start already name one process, so a program that may not be read, of
 * another account or with capabilities, is not a contradiction.
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

/** Since the process started, in milliseconds; null when it is unknown. */
export const ageMs = ({ started }: ProcessIdentity): number | null =>
  isWindows ? windowsAgeMs(started) : ageOfTicksMs(Number(started));

/** File times count units of 100 ns since 1601. */
const fileTimeEpochMs = Date.UTC(1601, 0, 1);
const windowsAgeMs = (created: string): number | null =>
  /^\d{17,19}$/.test(created) ? Math.max(0, Date.now() - (Number(created) / 10_000 + fileTimeEpochMs)) : null;
