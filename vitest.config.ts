import { defineConfig } from 'vitest/config';

// Every machine has this one, so that a run as root leaves no account behind.
process.env.CASTELLAN_POSTGRES_ACCOUNT ??= 'nobody';

const postgres = './tests/harness/postgres.setup.ts';
const programs = './tests/harness/programs.setup.ts';

export default defineConfig({
  test: {
    reporters: ['default', './tests/harness/closing-line.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Its second would be too short for a browser on a machine that does more.
    expect: { poll: { timeout: 15_000 } },
    // By itself it would leave one of two cores idle.
    maxWorkers: 2,
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
