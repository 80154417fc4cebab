import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type DemoInfo, readyMark } from '#harness/demo.ts';
import { freePort } from '#harness/ports.ts';
import { cpuSeconds, descendantsOf, pssMiB } from './harness/process-usage.ts';
import type { Bench } from './harness/report.ts';
import { median } from './harness/statistics.ts';

const checkout = resolve(import.meta.dirname, '../..');

interface Measured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly rssMiB: number;
  readonly peakMiB: number;
  readonly pssMiB: number;
  readonly load: number;
}

/** From `npm run demo` to its ready line, on whatever is built. */
const measure = async (root: string): Promise<Measured> => {
  const args = ['run', '-s', 'demo', '--', '--port', String(await freePort())];
  const [load = 0] = loadavg();
  const beganMs = performance.now();
  const npm = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(npm, 'exit');
  try {
    for await (const line of createInterface({ input: npm.stdout })) {
      if (!line.startsWith(readyMark)) continue;
      const seconds = (performance.now() - beganMs) / 1000;
      const { demo = 0 } = (JSON.parse(line.slice(readyMark.length)) as DemoInfo).pids;
      const status = await readFile(`/proc/${demo}/status`, 'utf8');
      const mib = (name: string) =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
      const cpu = descendantsOf(npm.pid ?? 0).reduce((sum, pid) => sum + cpuSeconds(pid), 0);
      const memory = { rssMiB: mib('VmRSS'), peakMiB: mib('VmHWM'), pssMiB: pssMiB(demo) };
      return { seconds, cpuSeconds: cpu, ...memory, load };
    }
    throw new Error('the demo ended before it was ready');
  } finally {
    npm.kill('SIGTERM');
    await exited;
  }
};

const figuresOf = (runs: readonly Measured[]): Readonly<Record<string, number>> => {
  const of = (figure: keyof Measured) => median(runs.map((one) => one[figure]));
  return {
    seconds: of('seconds'),
    'slowest, seconds': Math.max(...runs.map(({ seconds }) => seconds)),
    'CPU seconds': of('cpuSeconds'),
    'RSS MiB': of('rssMiB'),
    'peak RSS MiB': of('peakMiB'),
    'PSS MiB': of('pssMiB'),
    load: of('load'),
  };
};

export const demoBench: Bench = {
  summary: 'time of `npm run demo` to its ready line, and the memory of its own process',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        runs: { type: 'string', default: '5' },
        checkout: { type: 'string', default: checkout },
        json: { type: 'boolean' },
      },
    });
    const root = resolve(values.checkout);
    const fresh: Measured[] = [];
    const second: Measured[] = [];
    for (let index = 1; index <= Number(values.runs); index += 1) {
      for (const name of ['dist', '.cache/bundles'])
        await rm(join(root, name), { recursive: true, force: true });
      fresh.push(await measure(root));
      second.push(await measure(root));
      say(
        `run ${index}: fresh ${fresh.at(-1)?.seconds.toFixed(1)} s, second ${second.at(-1)?.seconds.toFixed(1)} s`,
      );
    }
    const rows = { 'fresh clone': figuresOf(fresh), 'second start': figuresOf(second) };
    const aim = (what: string, value: number, most: number) => ({
      what,
      value,
      aim: `< ${most}`,
      met: value < most,
    });
    return {
      title: `npm run demo: to its ready line, median of ${values.runs}`,
      tables: { 'Start, and the demo’s own process when it is ready': rows },
      aims: [
        aim('fresh clone, seconds', rows['fresh clone'].seconds ?? Number.NaN, 15),
        aim('second start, seconds', rows['second start'].seconds ?? Number.NaN, 6),
        aim('RSS of the demo after a fresh build, MiB', rows['fresh clone']['RSS MiB'] ?? Number.NaN, 150),
      ],
    };
  },
};
