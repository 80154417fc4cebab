import type { ProcessReport } from '#contracts/agent-tasks.ts';

/** An agent's word on how long ago something was, or how soon it will be, is believed up to so much. */
export const longestAgeMs = 366 * 86_400_000;

const believed = (ms: number | null): number | null => ms && Math.min(ms, longestAgeMs);

/** With times that every clock can show: a wrong clock must cost an agent nothing, and the API neither. */
export const believedProcess = (report: ProcessReport): ProcessReport => ({
  ...report,
  upMs: believed(report.upMs),
  nextStartInMs: believed(report.nextStartInMs),
  lastCrash: report.lastCrash && {
    ...report.lastCrash,
    ageMs: Math.min(report.lastCrash.ageMs, longestAgeMs),
  },
});
