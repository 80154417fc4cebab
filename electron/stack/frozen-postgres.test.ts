// @module-tag slow

import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ComponentStatus } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { familyOfPostmaster, isRunning, keepFrozen } from '#harness/frozen-family.ts';
import { type HeadlessHome, headlessHome, pidsOf } from '../testing/headless-home.ts';

let home: HeadlessHome;
beforeEach(async () => {
  home = await headlessHome();
  await home.writeEnv();
});
afterEach(() => home[Symbol.asyncDispose]());

const postgresOf = async (): Promise<ComponentStatus & { pid: number }> => {
  const postgres = (await home.status()).components.find(({ name }) => name === 'postgres');
  if (!postgres?.pid) throw new Error('Postgres does not run');
  return { ...postgres, pid: postgres.pid };
};

const running = async (pids: readonly number[]): Promise<number[]> => {
  const alive = await Promise.all(pids.map(isRunning));
  return pids.filter((_pid, index) => alive[index]);
};

const backOnAnother = (earlier: number, withinMs: number) =>
  eventually(async () => {
    const { state, pid } = await postgresOf();
    expect({ state, isNew: pid !== earlier }).toEqual({ state: 'running', isNew: true });
  }, withinMs);

// Guarantee: a Postgres that is frozen as a whole and cannot be woken is finally ended by force, and the stack is healthy
// again by itself.
test('a frozen Postgres is replaced', { timeout: 150_000, tags: 'night' }, async () => {
  home.launch();
  await home.whenRuns();
  const { pid } = await postgresOf();
  const family = await familyOfPostmaster(pid);
  expect(family.length).toBeGreaterThan(4);
  await using _frozen = await keepFrozen(family);
  await backOnAnother(pid, 90_000);
  expect(await running(family)).toEqual([]);
  await home.whenRuns();
});

// Guarantee: SIGTERM ends the supervisor within the 90 s that it promises, with a frozen Postgres, too, and nothing of the
// stack outlives it.
test('a stop over a frozen Postgres', { timeout: 150_000, tags: 'night' }, async () => {
  const child = home.launch();
  const stack = await home.whenRuns();
  const { pid } = await postgresOf();
  const family = await familyOfPostmaster(pid);
  await using _frozen = await keepFrozen(family);
  const before = performance.now();
  child.kill('SIGTERM');
  const exited = once(child, 'exit');
  expect(await exited).toEqual([0, null]);
  expect(performance.now() - before).toBeLessThan(60_000);
  expect(await running([...family, ...pidsOf(stack)])).toEqual([]);
});

// Guarantee: a postmaster that is killed takes its halted children with it within seconds, and Postgres is started again.
test('a killed postmaster with a halted child', async () => {
  home.launch();
  await home.whenRuns();
  const { pid } = await postgresOf();
  const [, orphan = 0] = await familyOfPostmaster(pid);
  process.kill(orphan, 'SIGSTOP');
  process.kill(pid, 'SIGKILL');
  const before = performance.now();
  try {
    await backOnAnother(pid, 30_000);
    expect(performance.now() - before).toBeLessThan(8000);
    expect(await running([orphan])).toEqual([]);
  } finally {
    if (await isRunning(orphan)) process.kill(orphan, 'SIGKILL');
  }
});

// Guarantee: what a power cut of the supervisor and its guardian left behind, halted, is ended at the next start.
test('a halted orphan of an earlier supervisor', async () => {
  const child = home.launch();
  const stack = await home.whenRuns();
  const { pid } = await postgresOf();
  const [, orphan = 0] = await familyOfPostmaster(pid);
  const siblings = await familyOfPostmaster(child.pid ?? 0);
  process.kill(orphan, 'SIGSTOP');
  for (const sibling of [...siblings, ...pidsOf(stack)])
    if (await isRunning(sibling)) process.kill(sibling, 'SIGKILL');
  try {
    home.launch();
    await home.whenRuns();
    expect((await postgresOf()).restarts).toBe(0);
    expect(await running([orphan])).toEqual([]);
  } finally {
    if (await isRunning(orphan)) process.kill(orphan, 'SIGKILL');
  }
});

// Guarantee: nothing of a frozen Postgres outlives a supervisor that is killed.
test('a killed supervisor over a frozen Postgres', { tags: 'night' }, async () => {
  const child = home.launch();
  const stack = await home.whenRuns();
  const family = await familyOfPostmaster((await postgresOf()).pid);
  await using _frozen = await keepFrozen(family);
  child.kill('SIGKILL');
  await eventually(async () => expect(await running([...family, ...pidsOf(stack)])).toEqual([]), 8000);
});
