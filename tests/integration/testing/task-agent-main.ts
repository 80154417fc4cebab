import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TaskResult } from '#contracts/servers/agent-tasks.ts';
import { createLog } from '#runtime/log.ts';
import { runProgram } from '#runtime/program.ts';
import { startAgent } from '../../../agent/agent.ts';
import { readAgentConfig } from '../../../agent/configuration/config.ts';
import type { TaskRun } from '../../../agent/tasks/task-handlers.ts';

/** The Game Agent with a task that records each run and resumption, and takes a moment. */
const [configPath = ''] = process.argv.slice(2);
const config = await readAgentConfig(configPath);
const log = createLog({ component: 'agent', level: 'error' });
const takes =
  (word: string) =>
  async (_task: unknown, run: TaskRun): Promise<TaskResult> => {
    appendFileSync(join(config.stateFolder, 'runs'), `${word} ${run.id}\n`);
    run.progress({ step: word, done: 0, total: 1 });
    await delay(60, undefined, { signal: run.signal });
    return { outcome: 'done', detail: null, value: { by: word } };
  };
await runProgram(
  async ({ resources, stop }) => {
    const handler = { run: takes('run'), recover: takes('recover') };
    const onFailure = () => stop('the journal cannot be written', 1);
    resources.use(await startAgent({ config, log, onFailure, handlers: { 'list-saves': handler } }));
  },
  { log, stopDeadlineMs: 5000 },
);
