import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  askDesktop,
  beLicensed,
  type DesktopMachine,
  openDesktopMachine,
  type RunningDesktop,
  untilState,
} from '#harness/desktop.ts';
import { familyPssMiB, pssMiB } from './harness/process-usage.ts';
import type { Bench } from './harness/report.ts';
import { median } from './harness/statistics.ts';

const laterStarts = 7;
/** Idle is measured after the desktop has been left alone for a while. */
const idleMs = 15_000;

interface Times {
  readonly windowMs: number;
  readonly panelMs: number;
  readonly healthyMs: number;
  readonly quitMs: number;
}

/** One start of a licensed desktop to its end, looked into by `whileRunning`. */
const timedStart = async (
  machine: DesktopMachine,
  whileRunning: (desktop: RunningDesktop, stack: Stack) => Promise<void> = async () => undefined,
): Promise<Times> => {
  const began = performance.now();
  await using desktop = await machine.start();
  const page = await desktop.page();
  const windowMs = performance.now() - began;
  const panel = page
    .locator('#content')
    .waitFor()
    .then(() => performance.now() - began);
  await untilState(page, 'running');
  const healthyMs = performance.now() - began;
  const panelMs = await panel;
  const { pid, components } = await askDesktop(page, 'stack.status');
  await whileRunning(desktop, { main: pid, components });
  const asked = performance.now();
  await desktop.quit();
  return { windowMs, panelMs, healthyMs, quitMs: performance.now() - asked };
};

interface Stack {
  readonly main: number;
  readonly components: readonly { readonly name: string; readonly pid: number | null }[];
}

/** Chromium's word for one of its processes; none for others, and for one that has ended meanwhile. */
const kindOf = (pid: number): string => {
  try {
    return /--type=([\w-]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
};

const memoryOf = (pids: readonly number[], { main, components }: Stack) => {
  const rows: Record<string, { 'PSS MiB': number }> = { 'main process': { 'PSS MiB': pssMiB(main) } };
  const renderer = pids.find((pid) => kindOf(pid) === 'renderer');
  if (renderer) rows.renderer = { 'PSS MiB': pssMiB(renderer) };
  const helpers = pids.filter((pid) => ['zygote', 'gpu-process', 'utility'].includes(kindOf(pid)));
  rows['Chromium, the rest'] = { 'PSS MiB': helpers.reduce((sum, pid) => sum + pssMiB(pid), 0) };
  for (const { name, pid } of components)
    if (pid !== null) rows[name] = { 'PSS MiB': name === 'postgres' ? familyPssMiB(pid) : pssMiB(pid) };
  rows.all = { 'PSS MiB': Object.values(rows).reduce((sum, row) => sum + row['PSS MiB'], 0) };
  return rows;
};

export const desktopBench: Bench = {
  summary: 'the desktop: time to the window, to the panel, to healthy, and memory when idle',
  async run(say) {
    await using machine = await openDesktopMachine();
    say(`Electron ${machine.version}; a first start, which is licensed`);
    {
      await using desktop = await machine.start();
      await beLicensed(await desktop.page(), machine.licenseKey);
    }
    const times: Times[] = [];
    let memory: ReturnType<typeof memoryOf> = {};
    for (let index = 0; index < laterStarts; index += 1) {
      say(`start ${index + 1} of ${laterStarts}`);
      const isLast = index + 1 === laterStarts;
      times.push(
        await timedStart(machine, async (desktop, stack) => {
          if (!isLast) return;
          say('waiting until it is idle');
          await delay(idleMs);
          memory = memoryOf(await desktop.processes(), stack);
        }),
      );
    }
    const seconds = (pick: (each: Times) => number) => ({
      'median s': median(times.map(pick)) / 1000,
      'slowest s': Math.max(...times.map(pick)) / 1000,
    });
    const toWindow = seconds(({ windowMs }) => windowMs);
    const toHealthy = seconds(({ healthyMs }) => healthyMs);
    return {
      title: `The desktop on Electron ${machine.version}, from the start of its process, on a screen that nobody sees`,
      tables: {
        [`Time, of ${laterStarts} later starts`]: {
          'to the window': toWindow,
          'to a healthy stack': toHealthy,
          'to the panel, signed in': seconds(({ panelMs }) => panelMs),
          'from quitting to its end': seconds(({ quitMs }) => quitMs),
        },
        'Memory when idle (proportional set size)': memory,
      },
      aims: [
        {
          what: 'start to window, median, seconds',
          value: toWindow['median s'],
          aim: '< 2',
          met: toWindow['median s'] < 2,
        },
        {
          what: 'start to healthy, median, seconds',
          value: toHealthy['median s'],
          aim: '< 4',
          met: toHealthy['median s'] < 4,
        },
      ],
    };
  },
};
