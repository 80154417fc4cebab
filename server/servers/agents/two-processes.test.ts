import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { AgentTask } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLeases, type Leases } from '../../kernel/commands/leases.ts';
import { openNotifications } from '../../kernel/database/notifications.ts';
import { migratedDatabase, silentLog, testOwner } from '../../kernel/testing/feature-api.ts';
import { agentIdentity, answered, joinSocket } from './testing/scripted-agent.ts';
import { startTestGateway, testServers } from './testing/test-gateway.ts';
import { toldMachine } from './testing/told-machine.ts';

const v = 1 as const;
const owned = new AsyncDisposableStack();
afterAll(() => owned.disposeAsync());
const database = owned.use(await migratedDatabase());
const servers = await testServers(database);
const uploads = owned.use(await temporaryFolder('uploads'));
const notifications = owned.use(openNotifications(database.url, silentLog));
const newProcess = async (endedProcesses: readonly string[] = []) => {
  const leases: Leases = owned.use(createLeases({ db: database.db, endedProcesses, log: silentLog }));
  await leases.begin();
  const gateway = owned.use(
    await startTestGateway({ database, servers, notifications, leases, uploadsFolder: uploads.path }),
  );
  return { ...gateway, leases };
};

const stop: AgentTask = { kind: 'power', action: 'stop', countdown: null };
const how = { by: testOwner, expiresInMs: 60_000 };

// Guarantee: a task that another process has sent is not called cancelled while the game stops: its agent is told, and its
// result is what counts.
test('a task is cancelled through another process', async () => {
  await servers.add('one');
  const [sender, other] = [await newProcess(), await newProcess()];
  const id = await sender.tasks.start(database.db, 'one', stop, how);
  await eventually(async () => expect(await other.tasks.get('one', id)).toMatchObject({ state: 'waiting' }));
  using agent = await joinSocket(sender.port, agentIdentity('one'));
  agent.send({
    v,
    type: 'machine',
    taskJournal: 'memory',
    machine: {
      ...toldMachine,
      folder: '/srv/games/one',
      allows: { ...toldMachine.allows, power: true },
      tasks: ['power'],
    },
  });
  expect(await agent.next('task')).toMatchObject({ id });
  expect(await other.tasks.cancel('one', id)).toMatchObject({ state: 'sent', result: null, cancelled: true });
  expect(await agent.next('task-cancel')).toMatchObject({ id });
  const result = { outcome: 'done', detail: null, value: { how: 'well' } } as const;
  agent.send({ v, type: 'task-result', taskId: id, result });
  await eventually(async () =>
    expect(await other.tasks.get('one', id)).toMatchObject({ state: 'done', result }),
  );
});

// Guarantee: a command that one process has written and later sent is not called unsent by another one that read it in between:
// it would be given to the game a second time.
test('a command that another process read before it was sent', async () => {
  await servers.add('read');
  const sender = await newProcess();
  const command = { id: 'gift.1', serverId: 'read', command: 'give', timeoutMs: 60_000, expiresInMs: 3000 };
  const [prepared] = await database.db
    .transaction()
    .execute((trx) => sender.gateway.prepareCommands(trx, [command]));
  const result = prepared?.run();
  const other = await newProcess();
  const known = other.gateway.resultOf('read', command.id);
  using agent = await joinSocket(sender.port, agentIdentity('read'));
  agent.send({ v, type: 'command-journal', journal: 'j'.repeat(22) });
  expect(await agent.next('command')).toMatchObject({ id: command.id });
  agent.send({ v, type: 'accepted', commandIds: [command.id] });
  await eventually(async () => {
    const { rows } = await database.pool.query<{ is_over: boolean }>(
      `select expires_at < now() - interval '100 ms' as is_over from agent_commands where id = $1`,
      [command.id],
    );
    expect(rows).toEqual([{ is_over: true }]);
  });
  agent.send({ v, type: 'result', commandId: command.id, result: answered('given') });
  const isAnswered = { outcome: 'answered', sent: true };
  expect(await result).toMatchObject(isAnswered);
  expect(await other.gateway.resultOf('read', command.id)).toMatchObject(isAnswered);
  expect(await known).toMatchObject(isAnswered);
});

// Guarantee: a process that starts deletes what ended processes left of uploads, and nothing of a living one.
test('uploads of a living process', async () => {
  const living = await newProcess();
  const kept = join(uploads.path, living.leases.processId, 'upload');
  const left = join(uploads.path, 'ended', 'upload');
  await mkdir(join(uploads.path, 'ended'));
  for (const path of [kept, left]) await writeFile(path, 'bytes');
  const next = await newProcess();
  await access(kept);
  await expect(access(left)).rejects.toThrow('ENOENT');
  await newProcess([living.leases.processId, next.leases.processId]);
  await expect(access(kept)).rejects.toThrow('ENOENT');
});
