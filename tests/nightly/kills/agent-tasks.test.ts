// @module-tag identity

import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { randomOf } from '../../bench/harness/seeded-random.ts';
import {
  restartAgent,
  restartApi,
  resultOf,
  runsOf,
  startTask,
  stateOf,
} from '../../integration/testing/task-stack.ts';

// Guarantee: under random kills of both, no task runs twice and no result is lost.
test('random kills', { timeout: 300_000 }, async () => {
  const random = randomOf(Number(process.env.CASTELLAN_KILL_SEED ?? 11));
  const ids: string[] = [];
  for (let kill = 0; kill < 12; kill += 1) {
    for (let task = 0; task < 4; task += 1) ids.push(await startTask());
    await delay(random() * 400);
    await (kill % 3 === 2 ? restartApi() : restartAgent());
  }
  for (const id of ids) {
    await eventually(async () => expect(await stateOf(id)).toBe('done'), 120_000);
    const runs = await runsOf(id);
    expect(runs.length).toBeGreaterThan(0);
    // An agent that dies just before its first step resumes the task without having begun it.
    expect(runs.filter((word) => word === 'run').length).toBeLessThanOrEqual(1);
    expect(await resultOf(id)).toMatchObject({ outcome: 'done' });
  }
});
