import { expect, test } from 'vitest';
import type { TaskResult } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { gatewayForThisFile } from './testing/gateway-of-a-test.ts';
import { joinSocket } from './testing/scripted-agent.ts';
import { toldMachine } from './testing/told-machine.ts';

const { api, database, newIdentity } = await gatewayForThisFile();

// Guarantee: the caller of a task that ended elsewhere before it was sent is told how, and the agent hears nothing of it.
test('a task that ended before it was sent', async () => {
  const identity = await newIdentity();
  const running = api.tasks.run(
    identity.serverId,
    { kind: 'list-saves' },
    { by: testOwner, expiresInMs: 60_000 },
  );
  const cancelled: TaskResult = { outcome: 'cancelled', detail: 'Not wanted any more.', value: null };
  await eventually(async () => {
    const { rowCount } = await database.pool.query(
      `update agent_tasks set state = 'done', done_at = now(), result = $2 where server_id = $1`,
      [identity.serverId, JSON.stringify(cancelled)],
    );
    expect(rowCount).toBe(1);
  });
  using agent = await joinSocket(api.port, identity);
  agent.send({ v: 1, type: 'machine', taskJournal: 'memory', machine: toldMachine });
  expect(await running).toEqual(cancelled);
  expect(agent.frames.filter(({ type }) => type === 'task')).toEqual([]);
});
