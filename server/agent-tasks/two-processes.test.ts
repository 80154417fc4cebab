import { expect, test } from 'vitest';
import type { ApiFrame } from '#contracts/agent-protocol.ts';
import type { AgentTask, MachineFacts } from '#contracts/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { insertServers } from '../console/testing/servers-in-use.ts';
import { openNotifications } from '../database/notifications.ts';
import { migratedDatabase, silentLog, testOwner } from '../testing/feature-api.ts';
import { createAgentTasks } from './agent-tasks.ts';
import type { TaskLink } from './task-link.ts';

const v = 1;
const machine: MachineFacts = {
  platform: 'linux',
  folder: '/srv/fjord',
  startMethod: 'none',
  startDetail: null,
  account: null,
  allows: { power: true, files: true, mods: true },
  tasks: ['list-mods'],
  hasConsole: true,
};
const task: AgentTask = { kind: 'list-mods' };
const expiresInMs = 60_000;

const openBoth = async () => {
  await using opening = new AsyncDisposableStack();
  const database = opening.use(await migratedDatabase());
  await insertServers(database.db, ['fjord', 'lonely']);
  const { path: uploadsFolder } = opening.use(await temporaryFolder('uploads'));
  let aheadMs = 0;
  const open = async (now: () => number) => {
    const notifications = opening.use(openNotifications(database.url, silentLog));
    const tasks = opening.use(
      createAgentTasks({ db: database.db, notifications, uploadsFolder, log: silentLog, now, sweepMs: 20 }),
    );
    const known = new Set<string>();
    tasks.onChange((serverId) => known.add(serverId));
    await tasks.prepare();
    return { tasks, known };
  };
  const agentless = await open(() => performance.now() + aheadMs);
  const withAgent = await open(() => performance.now());
  const frames: ApiFrame[] = [];
  const link: TaskLink = {
    journal: 'p',
    mode: 'websocket',
    isReady: true,
    isOpen: true,
    send: (frame) => void frames.push(frame),
  };
  const say = async (frame: Parameters<typeof withAgent.tasks.take>[2]) => {
    await withAgent.tasks.take('fjord', link, frame, () => undefined)?.();
  };
  const begin = (serverId: string) =>
    database.db
      .transaction()
      .execute((trx) => agentless.tasks.start(trx, serverId, task, { by: testOwner, expiresInMs }));
  const rowOf = (id: string) =>
    database.db.selectFrom('agent_tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const owned = opening.move();
  return {
    agentless,
    withAgent,
    frames,
    say,
    begin,
    rowOf,
    /** Time goes on for the process without the agent. */
    passMs(ms: number) {
      aheadMs += ms;
    },
    /** A task that both have read before any agent was there, and that the agent has got by now. */
    async sent() {
      const id = await begin('fjord');
      await eventually(() =>
        expect([agentless, withAgent].every(({ known }) => known.has('fjord'))).toBe(true),
      );
      await say({ v, type: 'machine', taskJournal: 't', machine });
      await eventually(() => expect(frames).toMatchObject([{ type: 'task', id }]));
      return id;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

// Guarantee: a process that has no connection to the agent ends no task as not taken that another process has handed over.
test('a task that is sent by another process does not expire', async () => {
  await using both = await openBoth();
  const id = await both.sent();
  const untaken = await both.begin('lonely');
  await eventually(() => expect(both.agentless.known.has('lonely')).toBe(true));
  both.passMs(2 * expiresInMs);
  // Looked at after the one that was sent.
  await eventually(async () =>
    expect(await both.rowOf(untaken)).toMatchObject({ result: { outcome: 'expired' } }),
  );
  expect(await both.rowOf(id)).toMatchObject({ done_at: null, result: null });
  const result = { outcome: 'done', detail: null, value: null } as const;
  await both.say({ v, type: 'task-result', taskId: id, result });
  expect(await both.rowOf(id)).toMatchObject({ state: 'done', result });
});

// Guarantee: a cancel that reaches such a process reaches the agent, and the task ends by the agent's word alone.
test('a task that is sent by another process is cancelled', async () => {
  await using both = await openBoth();
  const id = await both.sent();
  expect(await both.agentless.tasks.cancel('fjord', id)).toMatchObject({ cancelled: true, doneAt: null });
  await eventually(() => expect(both.frames).toContainEqual({ v, type: 'task-cancel', id }));
  expect(await both.rowOf(id)).toMatchObject({ done_at: null, result: null });
});
