import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { endAllAtSignal, endWithNpm } from '../../build/script-process.ts';
import { type Part, parts } from './parts.ts';

/** `npm run test:nightly`: what takes too long for every change, in parts. */

const root = resolve(import.meta.dirname, '../..');
const mostMinutes = 90;

const partNamed = (name: string, earlier: readonly Part[] = []): readonly Part[] => {
  const part = parts.find((one) => one.name === name);
  if (!part) throw new InvalidArgumentError(`Parts are ${parts.map((one) => one.name).join(', ')}.`);
  return [...earlier, part];
};
const seedOf = (text: string): number => {
  const seed = Number(text);
  if (!Number.isSafeInteger(seed) || seed < 1) throw new InvalidArgumentError('It must be a number from 1.');
  return seed;
};

const options = new Command('npm run test:nightly --')
  .description(
    'Runs the nightly tier, or parts of it, and prints its commit, its seed and the time of each part.',
  )
  .option('--part <name>', 'only this part; can be repeated', partNamed)
  .option('--seed <number>', 'of everything that is random; without it, a new one', seedOf)
  .addHelpText(
    'after',
    `\nParts:\n${parts.map(({ name, summary }) => `  ${name.padEnd(10)}${summary}`).join('\n')}`,
  )
  .parse()
  .opts<{ part?: readonly Part[]; seed?: number }>();

const seed = options.seed ?? randomInt(1, 1_000_000);
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const say = (line: string) => process.stdout.write(`${line}\n`);

const run = async (
  program: string,
  args: readonly string[],
  variables: Part['variables'],
): Promise<boolean> => {
  const env = { ...process.env, ...variables, CASTELLAN_KILL_SEED: String(seed) };
  const [code] = await once(spawn(program, args, { cwd: root, env, stdio: 'inherit' }), 'exit');
  return code === 0;
};

/** @returns whether everything in it passed, in time */
const runPart = async ({ name, variables, prepare, commands }: Part): Promise<boolean> => {
  say(`\n== ${name}, seed ${seed}`);
  const startedMs = performance.now();
  const results: boolean[] = [];
  if (prepare) results.push(await run('bash', prepare, variables));
  for (const command of commands(seed)) results.push(await run(process.execPath, command, variables));
  const minutes = (performance.now() - startedMs) / 60_000;
  const passed = !results.includes(false) && minutes <= mostMinutes;
  const late = minutes > mostMinutes ? `, more than the ${mostMinutes} minutes that a part may take` : '';
  say(`== ${name}: ${passed ? 'passed' : 'FAILED'} in ${minutes.toFixed(1)} minutes${late}`);
  return passed;
};

endWithNpm();
using _ending = endAllAtSignal();
const isChanged = git('status', '--porcelain') !== '';
say(`commit ${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}, seed ${seed}`);
const failed: string[] = [];
for (const part of options.part ?? parts) if (!(await runPart(part))) failed.push(part.name);
if (failed.length > 0) {
  process.stderr.write(`\n${failed.join(', ')} failed; repeat it with --part NAME --seed ${seed}\n`);
  process.exitCode = 1;
}
