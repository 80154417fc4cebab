import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Processor time in milliseconds, by test file and by the test's full name. */
export type Times = Readonly<Record<string, Readonly<Record<string, number>>>>;

export const root = resolve(import.meta.dirname, '../..');
/** Written by `npm run times -- --keep`, never by a run of the tests. */
export const keptTimesPath = resolve(root, 'tests/times.json');
/** What runs on this machine measured last; not part of the repository. */
export const measuredTimesPath = resolve(root, '.cache/times.json');

/** The tests that the last run on this machine refused. */
export const refusedTimesPath = resolve(root, '.cache/refused-times.json');

/** Tests below this are not kept: with ticks of 10 ms, their times are noise. */
export const leastKeptMs = 100;

export const readTimes = (path: string): Times => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Times;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
};

/** Sorted, so that a change of one time is one line of a diff. Times are rounded, since the last digit is noise. */
export const timesText = (times: Times): string => {
  const sorted = (record: Readonly<Record<string, unknown>>) =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  const kept = sorted(times).flatMap(([file]) => {
    const tests = sorted(times[file] ?? {}).filter(([, ms]) => Number(ms) >= leastKeptMs);
    return tests.length === 0 ? [] : [[file, Object.fromEntries(tests)]];
  });
  return `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`;
};

/** What a file's tests took together when their times were kept; 0 for a file whose tests are all short. */
export const keptMsOf = (times: Times, file: string): number =>
  Object.values(times[file] ?? {}).reduce((sum, ms) => sum + ms, 0);
