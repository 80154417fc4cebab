import { existsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { needs, thisMachine, unavailable } from './tests/harness/available.ts';
import { LongestFirst } from './tests/harness/longest-first.ts';
import { memoryFolder } from './tests/harness/memory-folder.ts';

// Every machine has this one, so that a run as root leaves no account behind.
process.env.CASTELLAN_POSTGRES_ACCOUNT ??= 'nobody';
const inMemory = memoryFolder();
if (inMemory !== undefined) process.env.TMPDIR = inMemory;

const accounts = './tests/harness/accounts.setup.ts';
const postgres = './tests/harness/postgres.setup.ts';
const programs = './tests/harness/programs.setup.ts';
const browsers = './tests/harness/browsers.setup.ts';

/** With a stack and a browser a file needs 2 GiB. */
const workerBytes = 2 * 2 ** 30;
/** The databases of more would need more connections than the Postgres of the run allows. */
const mostWorkers = 12;
const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
/** Three more than cores: files wait for Postgres, processes, games and intervals more than half of their time. */
const maxWorkers = Math.max(
  2,
  Math.min(availableParallelism() + 3, Math.floor(memory / workerBytes), mostWorkers),
);

const reasons = await unavailable(thisMachine);

const parts = '{contracts,runtime,games,portal,server,bot,agent,electron,renderer,build}';
/** Files that share a module whose hooks open what each of them needs: a module is loaded once for all files of a worker. */
const isolated = [
  'server/discord/chat-relay/chat-relay.test.ts',
  'server/discord/chat-relay/relayed-lines.test.ts',
  'server/discord/discord-roles/bought-roles.test.ts',
  'server/discord/discord-roles/discord-roles.test.ts',
  'server/discord/discord-roles/role-changes.test.ts',
  'server/store/entitlements/lasting-roles.test.ts',
];
const gone = isolated.filter((file) => !existsSync(resolve(import.meta.dirname, file)));
if (gone.length > 0)
  throw new Error(`vitest.config.ts: \`isolated\` names what is not there: ${gone.join(', ')}`);

export default defineConfig({
  test: {
    reporters: ['default', './tests/harness/times-by-group.ts', './tests/harness/closing-line.ts'],
    setupFiles: ['./tests/harness/worker.setup.ts'],
    // Halves the start of a program from its sources, of which tests start hundreds.
    env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, '.cache/compile-cache') },
    // Guards against hanging alone: a machine whose processes start slowly takes several times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Its second would be too short for a browser on a machine that does more.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    // A test names what it needs; where that is missing it is left out, and the closing line tells why.
    tags: [
      { name: 'slow', description: '`npm test` runs it' },
      { name: 'night', description: '`npm run test:nightly` runs it' },
      { name: 'kills', description: '`npm run test:nightly -- --part kills` kills at more moments' },
      ...needs.map((name) => {
        const description = reasons.get(name);
        return description === undefined ? { name } : { name, description, skip: true };
      }),
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'architecture',
          include: ['tests/{architecture,bench,harness,times}/**/*.test.ts', 'tests/nightly/*.test.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'units',
          include: [`${parts}/**/*.test.ts`, 'tests/corpus/**/*.test.ts'],
          exclude: isolated,
          globalSetup: [accounts, postgres],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'units-isolated', include: isolated, globalSetup: [accounts, postgres] },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/{integration,outside,simulators,storefront,desktop}/**/*.test.ts'],
          globalSetup: [accounts, programs, postgres],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: [accounts, programs, postgres, browsers],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'nightly',
          include: ['tests/nightly/*/**/*.test.ts'],
          globalSetup: [accounts, programs, postgres],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
