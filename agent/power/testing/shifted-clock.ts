import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sinceBootMs } from '../process/process-identity.ts';
import { noConsole, quickTiming, startTestPower } from './test-power.ts';

// Runs under libfaketime, which shifts the clock of this process, its holder and its game by the offset in a file. It crashes,
// counts down and stops while the clock jumps, and prints what it saw as JSON.

const [folder = '', shiftFile = ''] = process.argv.slice(2);
const backOffMs = 1500;
const countdownSeconds = 3;
const shiftClock = (days: number) => {
  const before = Date.now();
  writeFileSync(shiftFile, `${days >= 0 ? '+' : ''}${days}d`);
  return Math.round((Date.now() - before) / 86_400_000);
};
const until = async <T>(look: () => T | null): Promise<T> => {
  for (;;) {
    const seen = look();
    if (seen !== null) return seen;
    await delay(20);
  }
};

const start = join(folder, 'start.sh');
writeFileSync(start, '#!/bin/sh\necho start >> starts; [ -e runs ] && exec sleep 1000\nexit 3\n');
chmodSync(start, 0o755);
const starts = () => readFileSync(join(folder, 'starts'), 'utf8').trim().split('\n').length;
const timing = {
  crashes: {
    backOff: { firstMs: backOffMs, mostMs: backOffMs, jitter: 0 },
    crashes: 10,
    withinMs: 600_000,
    stableMs: 300_000,
  },
};
const it = await startTestPower({
  folder,
  command: ['./start.sh'],
  timing: { ...quickTiming, ...timing },
  // A countdown is announced only if the console accepts commands.
  console: { ...noConsole, obstacle: async () => null },
});
const jumps: unknown[] = [];
await it.act('start');
for (const days of [1, 0, -1, 0]) {
  const before = await until(() => (it.power.report().state === 'backing-off' ? starts() : null));
  const beganMs = sinceBootMs();
  const nextMs = it.power.report().nextStartInMs ?? 0;
  const jumpedDays = shiftClock(days);
  const { nextStartInMs, crashes, state } = it.power.report();
  const ageMs = it.power.report().lastCrash?.ageMs ?? null;
  await until(() => (starts() > before ? true : null));
  const waitedMs = sinceBootMs() - beganMs;
  jumps.push({
    jumpedDays,
    state,
    crashes,
    nextMs,
    nextStartInMs,
    waitedMs,
    ageMs,
    starts: starts() - before,
  });
}
writeFileSync(join(folder, 'runs'), '');
await until(() => (it.power.report().state === 'running' ? true : null));
const countdowns: unknown[] = [];
for (const days of [1, -1]) {
  shiftClock(0);
  await it.act('start');
  const { pid } = it.power.report();
  const beganMs = sinceBootMs();
  const cancelling = new AbortController();
  const asked = it.power.act({
    action: 'stop',
    countdown: { seconds: countdownSeconds, text: '{time}' },
    task: null,
    signal: cancelling.signal,
    onStep: () => undefined,
  });
  await until(() => (it.power.report().state === 'stopping' ? true : null));
  shiftClock(days);
  const upMs = it.power.report().upMs ?? 0;
  const { outcome } = await asked;
  countdowns.push({ outcome, pid, upMs, tookMs: sinceBootMs() - beganMs, report: it.power.report() });
}
await it[Symbol.asyncDispose]();
process.stdout.write(JSON.stringify({ backOffMs, countdownSeconds, jumps, countdowns }));
process.exit(0);
