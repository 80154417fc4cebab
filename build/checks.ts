import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { endAllAtSignal, endWithNpm } from './script-process.ts';

/** `npm run verify` and `npm test`: format and lint, types, promises, unused code, then tests; arguments go to vitest. */

const root = resolve(import.meta.dirname, '..');
const checks: readonly (readonly [script: string, ...args: string[]])[] = [
  ['@biomejs/biome/bin/biome', 'ci', '.'],
  ['typescript/bin/tsc', '-b'],
  ['oxlint/bin/oxlint', '--type-aware'],
  ['knip/bin/knip.js'],
  ['vitest/vitest.mjs', 'run', ...process.argv.slice(2)],
];

endWithNpm();
using _ending = endAllAtSignal();
for (const [script, ...args] of checks) {
  const check = spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  const [exitCode] = await once(check, 'exit');
  if (exitCode !== 0) process.exit(exitCode ?? 1);
}
