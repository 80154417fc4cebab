import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { healthHttp } from '#contracts/operations/health.ts';
import { stackStatus } from '#contracts/operations/stack.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { keyRecordName } from '#runtime/key-record.ts';
import { bundlePrograms } from '../../build/bundle.ts';
import { startDemoPortal } from '../../build/demo/portal.ts';
import { ask, type RunningProgram, startProgram, tryFetch, waitFor } from '../../build/demo/program.ts';
import { startDemoStack } from '../../build/demo/stack.ts';
import { childrenOf, familyPssMiB, pssMiB } from './harness/process-usage.ts';
import type { Bench } from './harness/report.ts';
import { median } from './harness/statistics.ts';

const laterStarts = 7;
/** Idle is measured after the stack has done nothing for this long. */
const idleMs = 10_000;

const isOk = async (apiUrl: string): Promise<true | null> => {
  const response = await tryFetch(apiUrl + healthHttp.stack.path);
  if (!response) return null;
  const { status } = (await response.json()) as { status?: unknown };
  return response.ok && status === 'ok' ? true : null;
};

interface Start extends AsyncDisposable {
  readonly program: RunningProgram;
  readonly ms: number;
}

const timedStart = async (home: string, apiUrl: string): Promise<Start> => {
  const began = performance.now();
  const program = startProgram('castellan', ['start'], { CASTELLAN_HOME: home }, join(home, 'castellan.out'));
  await waitFor(program, 'the stack was healthy', () => isOk(apiUrl));
  return {
    program,
    ms: performance.now() - began,
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
};

const idleMemory = async (home: string): Promise<Record<string, { 'PSS MiB': number }>> => {
  const status = stackStatus.parse(await ask('castellan', ['status'], { CASTELLAN_HOME: home }));
  const rows: Record<string, { 'PSS MiB': number }> = { supervisor: { 'PSS MiB': pssMiB(status.pid) } };
  for (const { name, pid } of status.components) {
    if (pid !== null) rows[name] = { 'PSS MiB': name === 'postgres' ? familyPssMiB(pid) : pssMiB(pid) };
  }
  const known = new Set(status.components.map(({ pid }) => pid));
  for (const pid of childrenOf(status.pid)) if (!known.has(pid)) rows.guardian = { 'PSS MiB': pssMiB(pid) };
  rows.all = { 'PSS MiB': Object.values(rows).reduce((sum, row) => sum + row['PSS MiB'], 0) };
  return rows;
};

export const startBench: Bench = {
  summary: 'time from process start to healthy, and memory when idle',
  async run(say) {
    await bundlePrograms();
    await using folder = await temporaryFolder('bench-start');
    const home = folder.path;
    const ports = {
      api: await freePort(),
      postgres: await freePort(),
      portal: await freePort(),
      portalPostgres: await freePort(),
    };
    const apiUrl = `http://127.0.0.1:${ports.api}`;
    await using portal = await startDemoPortal(join(home, 'portal'), ports);
    const licenseKey = await portal.license(join(home, 'demo-license.json'));

    // Activated once; then everything but the license record is deleted, so that the first start is a real one.
    {
      await using _stack = await startDemoStack({ home, ports, portal, licenseKey, discord: null });
    }
    const record = await readFile(join(home, 'license.json'));
    for (const name of ['postgres', keyRecordName]) await rm(join(home, name), { recursive: true });
    await writeFile(join(home, 'license.json'), record, { mode: 0o600 });

    say('first start');
    const first = await timedStart(home, apiUrl);
    await first[Symbol.asyncDispose]();

    const later: number[] = [];
    let memory: Awaited<ReturnType<typeof idleMemory>> = {};
    for (let index = 0; index < laterStarts; index += 1) {
      say(`later start ${index + 1} of ${laterStarts}`);
      await using start = await timedStart(home, apiUrl);
      later.push(start.ms);
      if (index + 1 < laterStarts) continue;
      say('waiting until the stack is idle');
      await delay(idleMs);
      memory = await idleMemory(home);
    }

    const laterSeconds = median(later) / 1000;
    const apiMiB = memory.api?.['PSS MiB'] ?? Number.NaN;
    return {
      title: 'Start of the stack: from process start to a healthy /api/health',
      tables: {
        'Time to healthy': {
          'first start (creates the database)': { seconds: first.ms / 1000 },
          [`later start (median of ${laterStarts})`]: { seconds: laterSeconds },
          'later start (slowest)': { seconds: Math.max(...later) / 1000 },
        },
        'Memory when idle (proportional set size)': memory,
      },
      aims: [
        { what: 'later start, seconds', value: laterSeconds, aim: '< 1.5', met: laterSeconds < 1.5 },
        { what: 'API when idle, MiB', value: apiMiB, aim: '< 130', met: apiMiB < 130 },
      ],
    };
  },
};
