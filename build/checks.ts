import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { endAllAtSignal, endWithNpm } from './script-process.ts';

/** `npm run verify` and `npm test`: format and lint, types, promises, unused code, then tests; arguments go to vitest. */

type Check = readonly [script: string, ...args: string[]];

const root = resolve(import.meta.dirname, '..');
/** None changes what another one reads, so they run in parallel. */
const readings: readonly Check[] = [
  ['@biomejs/biome/bin/biome', 'ci', '.'],
  ['typescript/bin/tsc', '-b'],
  ['oxlint/bin/oxlint', '--type-aware'],
  ['knip/bin/knip.js'],
];
const tests: Check = ['vitest/vitest.mjs', 'run', ...process.argv.slice(2)];

const start = ([script, ...args]: Check, stdio: 'inherit' | 'pipe') => {
  const { stdout } = process;
  const env = stdout.isTTY && stdio === 'pipe' ? { ...process.env, FORCE_COLOR: '1' } : process.env;
  return spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    env,
    stdio: ['inherit', stdio, stdio],
  });
};

/** Prints its output in one piece when it has ended. @returns whether it passed */
const read = async (check: Check): Promise<boolean> => {
  const reading = start(check, 'pipe');
  const said = [reading.stdout, reading.stderr]
    .flatMap((stream) => stream ?? [])
    .map((stream) => text(stream));
  const [exitCode] = await once(reading, 'exit');
  process.stdout.write((await Promise.all(said)).join(''));
  return exitCode === 0;
};

endWithNpm();
using _ending = endAllAtSignal();
const passed = await Promise.all(readings.map(read));
if (passed.includes(false)) process.exit(1);
const [exitCode] = await once(start(tests, 'inherit'), 'exit');
process.exitCode = exitCode ?? 1;
