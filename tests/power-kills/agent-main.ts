import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { builtProgram } from '#harness/built-program.ts';
import { createLog } from '#runtime/log.ts';
import { runProgram } from '#runtime/program.ts';
import { startAgent } from '../../agent/agent.ts';
import { readAgentConfig } from '../../agent/configuration/config.ts';
import { modFilesFrom } from '../../agent/mods/testing/mod-library.ts';

// The Game Agent as a process that checks and restarts quickly. Its configuration is the argument.

const path = process.argv[2] ?? '';
const timing = z
  .object({ settleMs: z.number(), crashes: z.int(), library: z.string().optional() })
  .parse(JSON.parse(readFileSync(join(dirname(path), 'timing.json'), 'utf8')));
const program = [process.execPath, builtProgram('agent', join(import.meta.dirname, '../../agent/main.ts'))];
const log = createLog({ component: 'agent', fd: 2 });

await runProgram(
  async ({ resources, stop }) => {
    const agent = await startAgent({
      config: await readAgentConfig(path),
      log,
      onFailure: () => stop('the journal cannot be written', 1),
      timing: { reconnectMs: () => 20, websocketRetryMs: () => 150 },
      ...(timing.library !== undefined && { modFiles: modFilesFrom(timing.library) }),
      linkTiming: { retryDelayMs: () => 50, leastGapMs: 0 },
      askMs: 200,
      logPollMs: 20,
      powerTiming: {
        pollMs: 50,
        settleMs: timing.settleMs,
        crashes: {
          backOff: { firstMs: 10, mostMs: 50, jitter: 0.25 },
          crashes: timing.crashes,
          withinMs: 600_000,
          stableMs: 300_000,
        },
      },
      holderProgram: program,
      workerProgram: program,
    });
    resources.use(agent);
  },
  { log },
);
