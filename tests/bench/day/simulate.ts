import { nextCheckMs } from '../../../runtime/license/check-schedule.ts';

export const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export interface Outage {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface DaysOptions {
  readonly installations: number;
  readonly days: number;
  /** On the clock of the simulation, whose first moment is 0. */
  readonly outage: Outage;
  /** From 0 to below 1. */
  readonly random: () => number;
}

const nobody = -1;

/**
 * The checks of many installations, in virtual time and with the schedule of the real client. The installations have run for a
 * long time before the simulation begins: their last checks are anywhere in the day before.
 * @returns the checks requested in each minute, answered or not
 */
export const simulateDays = ({ installations, days, outage, random }: DaysOptions): Float64Array => {
  const minutes = (days * dayMs) / minuteMs;
  const load = new Float64Array(minutes);
  // Each installation waits for one check and is in the list of that minute.
  const first = new Int32Array(minutes).fill(nobody);
  const next = new Int32Array(installations).fill(nobody);
  const dueMs = new Float64Array(installations);

  const wait = (installation: number, atMs: number): void => {
    const minute = Math.floor(atMs / minuteMs);
    if (minute >= minutes) return;
    dueMs[installation] = atMs;
    next[installation] = first[minute] ?? nobody;
    first[minute] = installation;
  };
  const planned = (state: 'valid' | 'grace', issuedMs: number, nowMs: number): number =>
    nextCheckMs({ state, issuedMs, nowMs, retryAfterMs: 0, random: random() });

  for (let installation = 0; installation < installations; installation += 1) {
    // Drawn again if the check would be before the start: this leaves the cycles that any moment cuts.
    let atMs = -1;
    while (atMs < 0) {
      const issuedMs = -random() * dayMs;
      atMs = planned('valid', issuedMs, issuedMs);
    }
    wait(installation, atMs);
  }
  for (let minute = 0; minute < minutes; minute += 1) {
    let asking = first[minute] ?? nobody;
    while (asking !== nobody) {
      const following = next[asking] ?? nobody;
      const nowMs = dueMs[asking] ?? 0;
      load[minute] = (load[minute] ?? 0) + 1;
      const isAway = nowMs >= outage.fromMs && nowMs < outage.toMs;
      // A client without an answer is in its grace period, where the date of its token does not matter.
      wait(asking, isAway ? planned('grace', nowMs, nowMs) : planned('valid', nowMs, nowMs));
      asking = following;
    }
  }
  return load;
};
