import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  askDesktop,
  beLicensed,
  type DesktopMachine,
  openDesktopMachine,
  type RunningDesktop,
  untilState,
} from '#harness/desktop.ts';
import { pssMiB } from './harness/process-usage.ts';
import type { Bench } from './harness/report.ts';
import { median } from './harness/statistics.ts';

/** Idle is measured after the desktop has done nothing for this long. */
const idleMs = 15_000;

interface Times {
  readonly windowMs: number;
  readonly panelMs: number;
  readonly healthyMs: number;
  readonly quitMs: number;
}

/** Runs a licensed desktop from start to end; `whileRunning` inspects it in between. */
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

/** Empty for a process that has ended. */
const commandLineOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
};

/** By Chromium's type for its own processes, and by the titles that Postgres gives its children. */
const nameOf = (pid: number, { main, components }: Stack): string => {
  if (pid === main) return 'main process';
  const component = components.find((each) => each.pid === pid)?.name;
  if (component !== undefined) return component;
  const commandLine = commandLineOf(pid);
  const kind = /--type=([\w-]+)/.exec(commandLine)?.[1];
  if (kind !== undefined) {
    const service = /--utility-sub-type=(\w+)/.exec(commandLine)?.[1];
    return `Chromium, ${service ?? kind}`;
  }
  if (commandLine.startsWith('postgres:')) {
    const worker =
      /(checkpointer|background writer|walwriter|autovacuum launcher|logical replication launcher|io worker)/.exec(
        commandLine,
      )?.[1];
    return `postgres, ${worker ?? 'connections'}`;
  }
  return commandLine.includes('guardian') ? 'guardian' : 'other';
};

/** 0 for a process that has ended. */
const pssWhileItLives = (pid: number): number => {
  try {
    return pssMiB(pid);
  } catch {
    return 0;
  }
};

interface Memory extends Readonly<Record<string, number>> {
  readonly 'PSS MiB': number;
  readonly processes: number;
}

const memoryOf = (pids: readonly number[], stack: Stack): Record<string, Memory> => {
  const rows: Record<string, Memory> = {};
  const add = (name: string, mebibytes: number) => {
    const before = rows[name] ?? { 'PSS MiB': 0, processes: 0 };
    rows[name] = { 'PSS MiB': before['PSS MiB'] + mebibytes, processes: before.processes + 1 };
  };
  for (const pid of pids) add(nameOf(pid, stack), pssWhileItLives(pid));
  const all = Object.values(rows);
  return {
    ...rows,
    all: {
      'PSS MiB': all.reduce((sum, row) => sum + row['PSS MiB'], 0),
      processes: all.reduce((sum, row) => sum + row.processes, 0),
    },
  };
};

export const desktopBench: Bench = {
  summary: 'the desktop: time to the window, to the panel, to healthy, and memory when idle',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { starts: { type: 'string', default: '7' }, json: { type: 'boolean' } },
    });
    const laterStarts = Number(values.starts);
    await using machine = await openDesktopMachine();
    say(`Electron ${machine.version}; a first start, which is licensed`);
    {
      await using desktop = await machine.start();
      await beLicensed(await desktop.page(), machine.licenseKey);
    }
    const times: Times[] = [];
    let memory: Record<string, Memory> = {};
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
