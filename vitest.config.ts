import { availableParallelism, totalmem } from 'node:os';
import { defineConfig } from 'vitest/config';
import { needs, thisMachine, unavailable } from './tests/harness/available.ts';
import { HeavyFirst } from './tests/harness/heavy-first.ts';

// Every machine has this one, so that a run as root leaves no account behind.
process.env.CASTELLAN_POSTGRES_ACCOUNT ??= 'nobody';

const postgres = './tests/harness/postgres.setup.ts';
const programs = './tests/harness/programs.setup.ts';

/** With a stack and a browser a file needs 2 GiB. More files than cores cost time-outs where a browser draws in software. */
const workerBytes = 2 * 2 ** 30;
/** The databases of more would need more connections than the Postgres of the run allows. */
const mostWorkers = 12;
const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
const maxWorkers = Math.max(
  2,
  Math.min(availableParallelism(), Math.floor(memory / workerBytes), mostWorkers),
);

const reasons = await unavailable(thisMachine);

export default defineConfig({
  test: {
    reporters: ['default', './tests/harness/times-by-group.ts', './tests/harness/closing-line.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Its second would be too short for a browser on a machine that does more.
    expect: { poll: { timeout: 15_000 } },
    maxWorkers,
    sequence: { sequencer: HeavyFirst },
    // A test names what it needs; where that is missing it is left out, and the closing line tells why.
    tags: [
      { name: 'slow', description: '`npm test` runs it' },
      ...needs.map((name) => {
        const description = reasons.get(name);
        return description === undefined ? { name } : { name, description, skip: true };
      }),
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['{contracts,runtime,games,portal,server,bot,agent,electron,renderer,build}/**/*.test.ts'],
          globalSetup: [postgres],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/**/*.test.ts'],
          globalSetup: [programs, postgres],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
