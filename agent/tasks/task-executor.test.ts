import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentTask, TaskResult } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { openTaskExecutor, type TaskFrame } from './task-executor.ts';
import type { TaskHandler, TaskHandlers, TaskRun } from './task-handlers.ts';
import { openTaskJournal } from './task-journal.ts';

const silent = createLog({ component: 'agent', destination: { write: () => undefined } });
const done: TaskResult = { outcome: 'done', detail: null, value: null };
const start: AgentTask = { kind: 'power', action: 'start', countdown: null };
const kill: AgentTask = { kind: 'power', action: 'kill', countdown: null };

/** A handler whose tasks end when the test says so. */
const heldHandler = () => {
  const begun: { readonly id: string; readonly isRecovered: boolean; readonly signal: AbortSignal }[] = [];
  const ends = new Map<string, (result: TaskResult) => void>();
  const handle = (isRecovered: boolean) => (_task: AgentTask, run: TaskRun) => {
    begun.push({ id: run.id, isRecovered, signal: run.signal });
    return new Promise<TaskResult>((resolve) => {
      ends.set(run.id, resolve);
      run.signal.addEventListener('abort', () => resolve({ ...done, outcome: 'cancelled' }));
    });
  };
  const handler: TaskHandler<'power'> & TaskHandler<'backup-saves'> = {
    run: handle(false),
    recover: handle(true),
  };
  return { begun, handler, end: (id: string, result = done) => ends.get(id)?.(result) };
};

const open = async (stateFolder: string, handlers: TaskHandlers, now = Date.now) => {
  const stack = new AsyncDisposableStack();
  const journal = stack.use(await openTaskJournal({ stateFolder, agentKey: 'key', log: silent, now }));
  const told: string[] = [];
  const failures: unknown[] = [];
  const executor = stack.use(
    openTaskExecutor({
      journal,
      handlers,
      news: {
        accepted: (id) => told.push(`accepted ${id}`),
        finished: (id) => told.push(`finished ${id}`),
        progress: () => undefined,
      },
      upload: async () => undefined,
      onFailure: (error) => failures.push(error),
      log: silent,
      now,
      patienceMs: 100,
    }),
  );
  const take = (id: string, task: TaskFrame['task'] = start, more: Partial<TaskFrame> = {}) =>
    executor.take({ v: 1, type: 'task', id, task, expiresInMs: 60_000, ...more });
  const resultOf = (id: string) => {
    const known = journal.find(id);
    return known && 'result' in known ? known.result : null;
  };
  return {
    journal,
    told,
    failures,
    take,
    cancel: executor.cancel,
    forget: executor.forget,
    resultOf,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
};

// Guarantee: a task is accepted once it is on disk, runs once however often it arrives, and its result is kept until it is received.
test('once', async () => {
  await using folder = await temporaryFolder('tasks');
  const held = heldHandler();
  await using agent = await open(folder.path, { power: held.handler });
  for (const _ of [1, 2, 3]) agent.take('a');
  await eventually(() => expect(held.begun.length).toBe(1));
  expect(await readFile(join(folder.path, 'tasks.journal'), 'utf8')).toContain('"started"');
  agent.take('a');
  held.end('a');
  await eventually(() => expect(agent.told).toContain('finished a'));
  agent.take('a');
  agent.forget(['a']);
  agent.take('a', start, { accepted: true });
  expect(held.begun.length).toBe(1);
  expect(agent.journal.find('a')).toMatchObject({ stage: 'forgotten', result: done });
});

// Guarantee: tasks of one lane run one after another; a kill waits for no countdown, and power for no backup.
test('lanes', async () => {
  await using folder = await temporaryFolder('tasks');
  const held = heldHandler();
  await using agent = await open(folder.path, { power: held.handler, 'backup-saves': held.handler });
  agent.take('backup', { kind: 'backup-saves' });
  agent.take('stop');
  agent.take('restart');
  agent.take('kill', kill);
  await eventually(() =>
    expect(new Set(held.begun.map(({ id }) => id))).toEqual(new Set(['backup', 'stop', 'kill'])),
  );
  held.end('stop');
  await eventually(() => expect(held.begun.at(-1)?.id).toBe('restart'));
});

// Guarantee: a waiting task that is cancelled never starts; a running one is notified; cancelling an unknown one does nothing.
test('cancelling', async () => {
  await using folder = await temporaryFolder('tasks');
  const held = heldHandler();
  await using agent = await open(folder.path, { power: held.handler });
  agent.take('runs');
  agent.take('waits');
  await eventually(() => expect(agent.told).toContain('accepted waits'));
  for (const id of ['waits', 'none', 'runs']) agent.cancel(id);
  await eventually(() => expect(agent.resultOf('waits')).toMatchObject({ outcome: 'cancelled' }));
  await eventually(() => expect(agent.resultOf('runs')).toMatchObject({ outcome: 'cancelled' }));
  expect(held.begun.map(({ id }) => id)).toEqual(['runs']);
});

// Guarantee: a task that this agent does not know, or one too many, is refused with a sentence; a failing handler is a failed task.
test('refusals and failures', async () => {
  await using folder = await temporaryFolder('tasks');
  const held = heldHandler();
  const failing: TaskHandler<'list-saves'> = {
    run: () => Promise.reject(new Error('no such folder')),
    recover: () => Promise.resolve(done),
  };
  const huge: TaskHandler<'confirm-restore'> = {
    run: () => Promise.resolve({ ...done, value: { text: 'x'.repeat(200_000) } }),
    recover: () => Promise.resolve(done),
  };
  const handlers = { power: held.handler, 'list-saves': failing, 'confirm-restore': huge };
  await using agent = await open(folder.path, handlers);
  agent.take('sing', { kind: 'sing' });
  agent.take('odd', { kind: 'power', action: 'explode' });
  agent.take('backup', { kind: 'backup-saves' });
  agent.take('fails', { kind: 'list-saves' });
  agent.take('huge', { kind: 'confirm-restore', backup: 'b' });
  for (const id of ['sing', 'odd', 'backup'])
    await eventually(() =>
      expect(agent.resultOf(id)).toMatchObject({
        outcome: 'refused',
        detail: expect.stringContaining('Update it'),
      }),
    );
  await eventually(() =>
    expect(agent.resultOf('fails')).toEqual({ outcome: 'failed', detail: 'no such folder', value: null }),
  );
  await eventually(() => expect(agent.resultOf('huge')).toMatchObject({ outcome: 'failed' }));
  for (let index = 0; index < 51; index += 1) agent.take(`many-${index}`);
  await eventually(() =>
    expect(agent.resultOf('many-50')).toMatchObject({
      outcome: 'refused',
      detail: expect.stringContaining('50'),
    }),
  );
});

// Guarantee: after the agent's end, a task that had started goes to its handler again, any other is run unless it is too late, and
// no result is lost.
test('another process', async () => {
  await using folder = await temporaryFolder('tasks');
  const first = heldHandler();
  const before = await open(folder.path, { power: first.handler });
  before.take('ended', kill);
  await eventually(() => expect(first.begun.length).toBe(1));
  first.end('ended');
  await eventually(() => expect(before.told).toContain('finished ended'));
  before.take('begun');
  before.take('waits');
  before.take('late', start, { expiresInMs: 10 });
  await eventually(() => expect(before.told).toContain('accepted late'));
  const { name } = before.journal;
  await before[Symbol.asyncDispose]();
  expect(before.failures).toEqual([]);

  const second = heldHandler();
  await using after = await open(folder.path, { power: second.handler }, () => Date.now() + 1000);
  expect(after.journal.name).toBe(name);
  expect(after.resultOf('ended')).toEqual(done);
  await eventually(() => expect(second.begun).toMatchObject([{ id: 'begun', isRecovered: true }]));
  second.end('begun');
  await eventually(() => expect(second.begun[1]).toMatchObject({ id: 'waits', isRecovered: false }));
  second.end('waits');
  await eventually(() => expect(after.resultOf('late')).toMatchObject({ outcome: 'expired' }));
  after.take('lost', start, { accepted: true });
  await eventually(() => expect(after.resultOf('lost')).toMatchObject({ outcome: 'unknown' }));
  expect(second.begun.length).toBe(2);
});

// Guarantee: from a damaged journal, nothing that may have started is run, and a torn end counts as never written.
test('a damaged journal', async () => {
  await using folder = await temporaryFolder('tasks');
  const path = join(folder.path, 'tasks.journal');
  const before = await open(folder.path, {});
  await before[Symbol.asyncDispose]();
  const received = (id: string) =>
    `${JSON.stringify({ kind: 'received', id, task: start, expiresInMs: 60_000, at: Date.now() })}\n`;
  await appendFile(
    path,
    `${received('one')}{"kind":"star#,"id":"one"}\n${received('two')}${received('torn').slice(0, -9)}`,
  );
  const held = heldHandler();
  await using agent = await open(folder.path, { power: held.handler });
  expect(agent.resultOf('one')).toMatchObject({ outcome: 'unknown' });
  expect(agent.journal.find('torn')).toBeUndefined();
  await eventually(() => expect(held.begun.map(({ id }) => id)).toEqual(['two']));
});

// Guarantee: another agent's journal is set aside, and none of its tasks is run.
test('a journal of another agent', async () => {
  await using folder = await temporaryFolder('tasks');
  const held = heldHandler();
  const before = await open(folder.path, { power: held.handler });
  before.take('foreign');
  await eventually(() => expect(held.begun.length).toBe(1));
  const { name } = before.journal;
  await before[Symbol.asyncDispose]();
  await using journal = await openTaskJournal({ stateFolder: folder.path, agentKey: 'another', log: silent });
  expect(journal.open()).toEqual([]);
  expect(journal.name).not.toBe(name);
});

// Guarantee: a cancelled task does not start in the agent's next process, whatever ended this one; one that had started is notified there.
test('cancelled before the agent was killed', async () => {
  await using folder = await temporaryFolder('tasks');
  const first = heldHandler();
  const killed = await open(folder.path, { power: first.handler });
  killed.take('runs');
  killed.take('waits');
  await eventually(() => expect(killed.told).toContain('accepted waits'));
  killed.cancel('waits');
  await eventually(() => expect(killed.resultOf('waits')).toMatchObject({ outcome: 'cancelled' }));
  const path = join(folder.path, 'tasks.journal');
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => !line.includes('"result"'));
  const before = [
    ...lines.slice(0, -1),
    '{"kind":"cancelled","id":"waits"}',
    '{"kind":"cancelled","id":"runs"}',
  ];
  await killed[Symbol.asyncDispose]();
  // As if it had been killed with both cancelled, and neither result written.
  await writeFile(path, before.map((line) => `${line}\n`).join(''));
  const second = heldHandler();
  await using after = await open(folder.path, { power: second.handler });
  await eventually(() => expect(after.resultOf('waits')).toMatchObject({ outcome: 'cancelled' }));
  await eventually(() => expect(second.begun).toMatchObject([{ id: 'runs', isRecovered: true }]));
  expect(second.begun[0]?.signal.aborted).toBe(true);
});

// Guarantee: a cancellation is on disk while its task continues, and an orderly end of the agent keeps its result.
test('cancelled as the agent stops', async () => {
  await using folder = await temporaryFolder('tasks');
  const first = heldHandler();
  const before = await open(folder.path, { power: first.handler });
  before.take('runs');
  await eventually(() => expect(first.begun.length).toBe(1));
  before.cancel('runs');
  await before[Symbol.asyncDispose]();
  const second = heldHandler();
  await using after = await open(folder.path, { power: second.handler });
  expect(after.resultOf('runs')).toMatchObject({ outcome: 'cancelled' });
  expect(second.begun).toEqual([]);
});

// Guarantee: a task that waits behind a long one and is cancelled or too late is reported immediately.
test('the end of what waits', async () => {
  await using folder = await temporaryFolder('tasks');
  const held = heldHandler();
  await using agent = await open(folder.path, { power: held.handler });
  agent.take('long');
  agent.take('late', start, { expiresInMs: 20 });
  agent.take('cancelled');
  await eventually(() => expect(agent.told).toContain('accepted cancelled'));
  agent.cancel('cancelled');
  await eventually(() => expect(agent.resultOf('cancelled')).toMatchObject({ outcome: 'cancelled' }));
  await eventually(() => expect(agent.resultOf('late')).toMatchObject({ outcome: 'expired' }));
  await eventually(() => expect(held.begun.map(({ id }) => id)).toEqual(['long']));
  expect(agent.resultOf('long')).toBeNull();
});
