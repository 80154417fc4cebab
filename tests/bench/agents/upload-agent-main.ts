import { randomBytes } from 'node:crypto';
import type { TaskResult } from '#contracts/servers/agent-tasks.ts';
import { createLog } from '#runtime/log.ts';
import { runProgram } from '#runtime/program.ts';
import { startAgent } from '../../../agent/agent.ts';
import { readAgentConfig } from '../../../agent/configuration/config.ts';
import type { TaskRun } from '../../../agent/tasks/task-handlers.ts';

/** The Game Agent with a task that uploads 50 MiB. */
const [configPath = ''] = process.argv.slice(2);
const config = await readAgentConfig(configPath);
const log = createLog({ component: 'agent', level: 'error' });
const content = randomBytes(50 * 1024 * 1024);
const run = async (_task: unknown, { upload }: TaskRun): Promise<TaskResult> => {
  await upload(content);
  return { outcome: 'done', detail: null, value: null };
};
await runProgram(
  async ({ resources, stop }) => {
    const handlers = { 'console-history': { run, recover: run } };
    const onFailure = () => stop('the journal cannot be written', 1);
    resources.use(await startAgent({ config, log, onFailure, handlers }));
  },
  { log, stopDeadlineMs: 5000 },
);
