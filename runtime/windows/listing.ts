import { type RunSystemProgram, runSystemProgram, SystemProgramError } from './system-program.ts';

/** A program of Windows that lists processes or parts of the machine, and its arguments. All of them ask WMI. */
export type WayToList = readonly [program: string, args: readonly string[]];

/** For all ways together: where WMI is silent, each of them is (sebhildebrandt/systeminformation#521). A cold PowerShell takes seconds. */
const deadlineMs = 15_000;
/** Asking a silent WMI again and again keeps it busy for every program of the machine (orca-app/orca#152). */
const firstRestMs = 30_000;
const longestRestMs = 600_000;

/** Windows does not list anything now. */
class SilentWindowsError extends Error {
  override readonly name = 'SilentWindowsError';

  constructor() {
    super(
      'Windows does not list its programs: WMI does not answer. Restart the service “Windows Management Instrumentation” in the list of services (services.msc), or restart Windows.',
    );
  }
}

/** Asks in one way after the other, and remembers a Windows that did not answer. */
export const createLister = (now: () => number = () => performance.now()) => {
  let silentUntil = Number.NEGATIVE_INFINITY;
  let restMs = firstRestMs;
  const fallSilent = (): SilentWindowsError => {
    // Of several looks at the same time, which all end at their deadlines, the first one counts.
    if (now() < silentUntil) return new SilentWindowsError();
    silentUntil = now() + restMs;
    restMs = Math.min(restMs * 2, longestRestMs);
    return new SilentWindowsError();
  };
  return {
    /**
     * @param read of what was printed
     * @throws {SilentWindowsError} at the deadline, and at once for a while after it
     * @throws what the last way failed with
     */
    async list<T>(
      ways: readonly [WayToList, ...WayToList[]],
      read: (printed: string) => T,
      run: RunSystemProgram = runSystemProgram,
    ): Promise<T> {
      if (now() < silentUntil) throw new SilentWindowsError();
      const until = now() + deadlineMs;
      let failure: unknown;
      for (const [program, args] of ways) {
        const leftMs = until - now();
        if (leftMs <= 0) throw fallSilent();
        try {
          const listed = read(await run(program, args, leftMs));
          restMs = firstRestMs;
          silentUntil = Number.NEGATIVE_INFINITY;
          return listed;
        } catch (error) {
          if (error instanceof SystemProgramError && error.isSilent) throw fallSilent();
          failure = error;
        }
      }
      throw failure;
    },
    /** Why nothing is listed now; null while Windows answers, or has not been asked. */
    silence: (): string | null => (now() < silentUntil ? new SilentWindowsError().message : null),
  };
};

/** One for the whole process, so that every caller profits from what the last one met. */
export const windowsLister = createLister();
