import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** Shifts the clock of processes that are started with `env` ahead of this machine's or behind it. Their timers keep their pace. */
export interface ShiftedClock extends AsyncDisposable {
  /** `FAKETIME_TIMESTAMP_FILE` holds the shift, for a program that moves its clock itself. */
  readonly env: Readonly<Record<string, string>> & { readonly FAKETIME_TIMESTAMP_FILE: string };
  readonly shiftMs: number;
  /** Takes effect immediately, also for running processes. */
  shift(ms: number): void;
  now(): number;
}

/** Needs the tag `faketime`. */
export const openShiftedClock = async (): Promise<ShiftedClock> => {
  const folder = await temporaryFolder('clock');
  const file = join(folder.path, 'shift');
  let shiftMs = 0;
  const clock: ShiftedClock = {
    env: {
      // The path from Debian's `faketime`; the linker expands it to the machine's own folder.
      LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // No one can set the monotonic clock of a machine.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    get shiftMs() {
      return shiftMs;
    },
    shift(ms) {
      shiftMs = ms;
      // Written to a temporary name first, so that no process reads half of it.
      writeFileSync(`${file}.next`, `${ms < 0 ? '' : '+'}${ms / 1000}`);
      renameSync(`${file}.next`, file);
    },
    now: () => Date.now() + shiftMs,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
  clock.shift(0);
  return clock;
};
