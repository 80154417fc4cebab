import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Report } from '../bench/harness/report.ts';
import { betterOf, lostRatios, type Ratios, ratiosOf } from './ratios.ts';

const usage = `usage: node tests/nightly/compare-ratios.ts [--keep]

Runs the benches that compare with a baseline of the same run, and compares their ratios with the kept ones
(tests/nightly/kept-ratios.json). Exit code 1 if one has become half as bad again in two runs of its bench. With --keep, the ratios of this run are kept.
`;

const root = resolve(import.meta.dirname, '../..');
const keptPath = join(import.meta.dirname, 'kept-ratios.json');
/** With sizes at which each takes some minutes. */
const benches: readonly (readonly string[])[] = [
  ['rcon'],
  ['rewards', '--members', '2000'],
  ['figures', '--orders', '200000'],
  ['agents', '--sizes', '1000'],
];

const measure = async (args: readonly string[]): Promise<Ratios> => {
  const path = join(root, 'tests/bench/main.ts');
  const bench = spawn(process.execPath, [path, ...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [code]] = await Promise.all([text(bench.stdout), once(bench, 'exit')]);
  process.stdout.write(said);
  if (code !== 0) throw new Error(`npm run bench -- ${args.join(' ')} ended with ${code}`);
  return ratiosOf(JSON.parse(said.trimEnd().split('\n').at(-1) ?? '') as Report);
};

const { values } = parseArgs({
  options: { keep: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) process.stdout.write(usage);
else {
  const kept = JSON.parse(await readFile(keptPath, 'utf8')) as Readonly<Record<string, Ratios>>;
  const measured: Record<string, Ratios> = {};
  const lostIn = (bench: string) =>
    lostRatios(measured[bench] ?? {}, kept[bench] ?? {}).map((sentence) => `${bench}: ${sentence}`);
  for (const args of benches) {
    const [bench = ''] = args;
    measured[bench] = await measure(args);
    if (lostIn(bench).length > 0) measured[bench] = betterOf(measured[bench], await measure(args));
  }
  const lost = Object.keys(measured).flatMap(lostIn);
  for (const sentence of lost) process.stderr.write(`${sentence}\n`);
  if (values.keep) await writeFile(keptPath, `${JSON.stringify(measured, null, 2)}\n`);
  else if (lost.length > 0) process.exitCode = 1;
}
