import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { endAllAtSignal, endWithNpm } from '../build/script-process.ts';
import { type Closing, closingText } from './harness/closing-line.ts';
import type { Refusal } from './times/refusals.ts';
import { measuredTimesPath, readTimes, refusedTimesPath } from './times/stored-times.ts';

/**
 * `npm run verify` and `npm test`: format and lint, types, promises and unused code, and beside them the tests; arguments go to
 * vitest. A test that uses too much of the processor is measured again alone, and refused if that gives the same result.
 */

type Check = readonly [script: string, ...args: string[]];

const root = resolve(import.meta.dirname, '..');
/** None changes what another one reads, so they run in parallel. */
const readings: readonly Check[] = [
  ['@biomejs/biome/bin/biome', 'ci', '.'],
  // More than one checker does the same work more than once.
  ['typescript/bin/tsc', '-b', '--checkers', '1'],
  ['oxlint/bin/oxlint', '--type-aware'],
  ['knip/bin/knip.js'],
];
/** Both checkers of types are written in Go; these halve their processor time, of which the tests beside them have the use. */
const goSettings = { GOGC: '400', GOMAXPROCS: '1' };
const runTests = 'vitest/vitest.mjs';

/** What each tier runs; the nightly one is `tests/nightly/main.ts`. */
const tiers: Readonly<Record<string, readonly string[]>> = {
  verify: ['--project', 'architecture', '--project', 'units*', '--tags-filter', '!slow && !night'],
  test: ['--project', '!nightly', '--tags-filter', '!night'],
};

const start = ([script, ...args]: Check, stdio: readonly ('inherit' | 'pipe' | 'ipc')[]) => {
  const { stdout } = process;
  const env = stdout.isTTY && stdio.includes('pipe') ? { FORCE_COLOR: '1' } : {};
  return spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    env: { ...process.env, ...goSettings, ...env },
    stdio: [...stdio],
  });
};

/** Prints its output in one piece when it has ended. @returns whether it passed */
const read = async (check: Check): Promise<boolean> => {
  const reading = start(check, ['inherit', 'pipe', 'pipe']);
  const said = [reading.stdout, reading.stderr]
    .flatMap((stream) => stream ?? [])
    .map((stream) => text(stream));
  const [exitCode] = await once(reading, 'exit');
  process.stdout.write((await Promise.all(said)).join(''));
  return exitCode === 0;
};

/** What vitest counted; null if it ended before it had run the tests. */
const test = async (...args: readonly string[]): Promise<{ passed: boolean; closing: Closing | null }> => {
  const running = start([runTests, 'run', ...args], ['inherit', 'inherit', 'inherit', 'ipc']);
  let closing: Closing | null = null;
  running.on('message', (message: { closing?: Closing }) => {
    closing = message.closing ?? closing;
  });
  const [exitCode] = await once(running, 'close');
  return { passed: exitCode === 0, closing };
};

const refusedTests = async (): Promise<readonly Refusal[]> =>
  JSON.parse(await readFile(refusedTimesPath, 'utf8').catch(() => '[]')) as readonly Refusal[];

/** The tests that use too much of the processor twice: beside others, and alone. */
const refusedTwice = async (): Promise<readonly Refusal[]> => {
  const refused = await refusedTests();
  if (refused.length === 0) return [];
  process.stdout.write('\nmeasuring the tests that use too much of the processor again …\n');
  const files = [...new Set(refused.map(({ file }) => file))];
  // vitest joins the names of suites and tests by a blank.
  const names = refused.map(({ name }) => RegExp.escape(name.replaceAll(' > ', ' ')));
  await test(
    ...files,
    `--testNamePattern=^(${names.join('|')})$`,
    '--max-workers=1',
    '--reporter=./tests/harness/times-by-group.ts',
  );
  const alone = readTimes(measuredTimesPath);
  return refused.filter(({ file, name, allowedMs }) => (alone[file]?.[name] ?? 0) > allowedMs);
};

const [tier = 'test', ...args] = process.argv.slice(2);
const ofTier = tiers[tier];
if (!ofTier) throw new Error(`There is no tier ${tier}; tiers are ${Object.keys(tiers).join(' and ')}.`);
endWithNpm();
using _ending = endAllAtSignal();
await rm(refusedTimesPath, { force: true });
const [tests, ...readingsPassed] = await Promise.all([test(...ofTier, ...args), ...readings.map(read)]);
const refused = tests.closing ? await refusedTwice() : [];
for (const { file, name, why } of refused) process.stdout.write(`FAIL ${file} > ${name} ${why}\n`);
if (readingsPassed.includes(false))
  process.stdout.write('FAIL format, lint, types or unused code: see above\n');
if (tests.closing)
  process.stdout.write(closingText({ ...tests.closing, failed: tests.closing.failed + refused.length }));
if (!tests.passed || refused.length > 0 || readingsPassed.includes(false)) process.exitCode = 1;
