import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { keptTimesPath, measuredTimesPath, readTimes, root, timesText } from './stored-times.ts';

const usage = `usage: npm run times [-- --keep]

Compares the processor time of each test in its last run on this machine with the kept ones (tests/times.json): the tests that grew
most come first. With --keep, the measured times become the kept ones; tests that did not run keep theirs, tests that are gone lose
theirs.
`;

/** How many of the tests that grew most are named. */
const named = 20;

const { values } = parseArgs({
  options: { keep: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) process.stdout.write(usage);
else {
  const [kept, measured] = [readTimes(keptTimesPath), readTimes(measuredTimesPath)];
  const grown = Object.entries(measured).flatMap(([file, tests]) =>
    Object.entries(tests).map(([name, ms]) => ({ file, name, ms, before: kept[file]?.[name] ?? 0 })),
  );
  grown.sort((a, b) => b.ms - b.before - (a.ms - a.before));
  for (const { file, name, ms, before } of grown.slice(0, named))
    process.stdout.write(
      `${String(ms).padStart(7)} ms  ${String(before).padStart(7)} ms  ${file} > ${name}\n`,
    );
  const all = Object.entries({ ...kept, ...measured }).filter(([file]) => existsSync(resolve(root, file)));
  if (values.keep) await writeFileAtomically(keptTimesPath, timesText(Object.fromEntries(all)), 0o644);
}
