import type { ProcessReport } from '#contracts/servers/agent-tasks.ts';

/** How long ago something was, or how soon it will be, is believed up to this limit when an agent says so. */
export const longestAgeMs = 366 * 86_400_000;

const believed = (ms: number | null): number | null => ms && Math.min(ms, longestAgeMs);

/** With times that every clock can show: a wrong clock must do no harm to the agent or the API. */
export const believedProcess = (report: ProcessReport): ProcessReport => ({
  ...report,
  upMs: believed(report.upMs),
  nextStartInMs: believed(report.nextStartInMs),
  lastCrash: report.lastCrash && {
    ...report.lastCrash,
    ageMs: Math.min(report.lastCrash.ageMs, longestAgeMs),
  },
});
