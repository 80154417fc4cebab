// @module-tag identity

import { expect, test } from 'vitest';
import { faultsOf } from '../../faults/outcome.ts';
import { runFaults } from '../../faults/run-faults.ts';

const run = (options: Partial<Parameters<typeof runFaults>[0]>) =>
  runFaults({
    deliveries: 60,
    kills: 4,
    apis: 1,
    merges: 0,
    stops: 0,
    slowAnswers: 0,
    hasRules: false,
    channel: 'all',
    victims: ['api', 'agent', 'game', 'postgres'],
    seed: 11,
    lostAnswers: 'guarded',
    emptyQueues: false,
    restoreAfterMs: null,
    say: () => undefined,
    ...options,
  });

const sound = {
  doubled: 0,
  misplaced: 0,
  false_delivered: 0,
  falsely_refunded: 0,
  vanished: 0,
  result_dropped: 0,
  ledger_sum: 0,
  cut_short: 0,
};

// These share nothing and mostly wait for killed processes, so they run in parallel.

// Guarantee: no matter what is killed and which answers are lost, the store marks as delivered exactly what the games carried out,
// once, and the money agrees with it.
test.concurrent('everything is killed under deliveries', { timeout: 600_000 }, async () => {
  const outcome = await run({});
  expect(outcome).toMatchObject({ deliveries: 60, kills: 4 });
  expect(faultsOf(outcome)).toEqual(sound);
});

// Guarantee: with agents, the death of the API or of Postgres leaves nothing unknown, and pg-boss's tables are not needed.
test.concurrent('the API and Postgres are killed, and the queues are emptied', {
  timeout: 600_000,
}, async () => {
  const outcome = await run({ channel: 'agent', victims: ['api', 'postgres'], emptyQueues: true });
  expect(outcome).toMatchObject({ deliveries: 60, kills: 4, unknown: 0, unknown_minecraft: 0 });
  expect(faultsOf(outcome)).toEqual(sound);
});

// Guarantee: what is in flight belongs to the process that sent it: with two of them, of which one stands still for longer than
// its leases, with members merged while games are slow, and with every standing rule, the same holds.
test.concurrent('two processes, merges, slow games and a process that stands still', {
  timeout: 900_000,
}, async () => {
  const outcome = await run({ apis: 2, merges: 4, stops: 1, slowAnswers: 0.2, hasRules: true });
  expect(outcome).toMatchObject({ deliveries: 60, kills: 4 });
  expect(outcome.stopped_gifts).toBeGreaterThan(0);
  expect(faultsOf(outcome)).toEqual(sound);
});
