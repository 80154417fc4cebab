// @module-tag identity

import { expect, test } from 'vitest';
import { agentMachine, agentTaskRow, agentTasksHttp } from '#contracts/servers/agent-tasks-http.ts';
import { eventually } from '#harness/eventually.ts';
import {
  api,
  restartAgent,
  restartApi,
  resultOf,
  runsOf,
  serverId,
  startTask,
  stateOf,
} from './testing/task-stack.ts';

const path = (template: string) => template.replace(':serverId', serverId);

// Guarantee: a task that another process commits reaches the agent, and the panel reads the task, the machine and the process.
test('a task, seen by the panel', { timeout: 60_000 }, async () => {
  const id = await startTask();
  await eventually(async () => expect(await stateOf(id)).toBe('done'), 30_000);
  expect(await runsOf(id)).toEqual(['run']);
  const list = await (await api.fetch(path(agentTasksHttp.list.path))).json();
  // The API asks for the saves of a server by itself, too.
  const row = agentTasksHttp.list.response.parse(list).rows.find((each) => each.id === id);
  expect(row).toMatchObject({ state: 'done' });
  const machine = agentMachine.parse(await (await api.fetch(path(agentTasksHttp.machine.path))).json());
  expect(machine).toMatchObject({
    takesTasks: true,
    machine: {
      facts: { startMethod: 'none', tasks: expect.arrayContaining(['power', 'list-saves']) },
    },
    process: { isCurrent: true, report: { state: 'unmanaged' } },
  });
  const cancelled = await api.fetch(path(agentTasksHttp.cancel.path).replace(':id', id), { method: 'POST' });
  expect(agentTaskRow.parse(await cancelled.json())).toMatchObject({ state: 'done', cancelled: false });
});

const stages = ['waiting', 'sent', 'accepted', 'running', 'done'] as const;
const victims = { agent: restartAgent, api: restartApi };

// Guarantee: no matter which of the two is killed at which stage of a task, it runs once, is at most resumed, and its result arrives.
test.each([
  { stage: 'waiting', victim: 'api' },
  { stage: 'sent', victim: 'agent' },
  { stage: 'accepted', victim: 'api' },
  { stage: 'running', victim: 'agent' },
  { stage: 'running', victim: 'api' },
  { stage: 'done', victim: 'agent' },
] as const)(
  'the $victim is killed once a task is $stage',
  { timeout: 120_000 },
  async ({ stage, victim }) => {
    const id = await startTask();
    const least = stages.indexOf(stage);
    await eventually(async () => {
      const reached = stages.indexOf((await stateOf(id)) as (typeof stages)[number]);
      expect(reached).toBeGreaterThanOrEqual(least);
    }, 30_000);
    await victims[victim]();
    await eventually(async () => expect(await stateOf(id)).toBe('done'), 60_000);
    const runs = await runsOf(id);
    // An agent that dies just before its first step resumes the task without having begun it.
    expect(runs.filter((word) => word === 'run').length).toBeLessThanOrEqual(1);
    expect(await resultOf(id)).toMatchObject({ outcome: 'done', value: { by: runs.at(-1) } });
  },
);
