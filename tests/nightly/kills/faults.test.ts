// @module-tag identity

import { expect, test } from 'vitest';
import { runFaults } from '../../faults/run-faults.ts';

const run = (options: Partial<Parameters<typeof runFaults>[0]>) =>
  runFaults({
    deliveries: 60,
    kills: 4,
    channel: 'all',
    victims: ['api', 'agent', 'game', 'postgres'],
    seed: 11,
    lostAnswers: 'guarded',
    emptyQueues: false,
    restoreAfterMs: null,
    say: () => undefined,
    ...options,
  });

const sound = { doubled: 0, false_delivered: 0, vanished: 0, ledger_sum: 0 };

// The two share nothing and mostly wait for killed processes, so they run in parallel.

// Guarantee: no matter what is killed and which answers are lost, the store marks as delivered exactly what the games carried out,
// once, and the money agrees with it.
test.concurrent('everything is killed under deliveries', { timeout: 600_000 }, async () => {
  expect(await run({})).toMatchObject({ deliveries: 60, kills: 4, ...sound });
});

// Guarantee: with agents, the death of the API or of Postgres leaves nothing unknown, and pg-boss's tables are not needed.
test.concurrent('the API and Postgres are killed, and the queues are emptied', {
  timeout: 600_000,
}, async () => {
  const outcome = await run({ channel: 'agent', victims: ['api', 'postgres'], emptyQueues: true });
  expect(outcome).toMatchObject({ deliveries: 60, kills: 4, ...sound, unknown: 0, unknown_minecraft: 0 });
});
