// @module-tag identity

import { expect, test } from 'vitest';
import { journeys } from '../../owner-kills/journeys.ts';
import { runKills, tableOf } from '../../owner-kills/run-kills.ts';

const seed = Number(process.env.CASTELLAN_KILL_SEED ?? 37);

// Guarantee: no matter at which step of a new owner's journeys the API is killed, and at which moment of the step, nothing that was
// said to be saved is lost, and nothing is done twice.
test('the API is killed at each step of a new owner', { timeout: 2_400_000 }, async () => {
  const said: string[] = [];
  const say = (line: string) => {
    said.push(line);
    process.stdout.write(`${line}\n`);
  };
  const { steps, ledgerSum } = await runKills({ journeys, rounds: 5, seed, say });
  process.stdout.write(`${tableOf(steps)}\nseed ${seed}\n`);
  const wrong = steps.filter(({ lost, twice }) => lost + twice > 0);
  expect(wrong, `seed ${seed}\n${said.join('\n')}`).toEqual([]);
  expect(ledgerSum).toBe(0);
});
