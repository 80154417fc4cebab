import { expect, test } from 'vitest';
import { agentFrame, largestAgentFrame } from '#contracts/servers/agent-protocol.ts';
import type { MachineFacts, ProcessReport, TaskResult } from '#contracts/servers/agent-tasks.ts';
import { createLog } from '#runtime/log.ts';
import { createTaskOutbox } from './task-outbox.ts';

const machine: MachineFacts = {
  platform: 'linux',
  folder: null,
  startMethod: 'none',
  startDetail: null,
  account: null,
  allows: { power: false, files: false, mods: false },
  tasks: [],
  hasConsole: true,
};
const running: ProcessReport = {
  state: 'running',
  wanted: 'running',
  detail: null,
  pid: 1,
  upMs: 1,
  crashes: 1,
  nextStartInMs: null,
  lastCrash: null,
};
const crash = { ageMs: 1, exitCode: 1, signal: null, lines: [] };
const done: TaskResult = { outcome: 'done', detail: null, value: null };
const budget = { bytes: largestAgentFrame / 2, frames: 10 };

const outboxOf = (process: ProcessReport, result: TaskResult = done) => {
  const logged: string[] = [];
  const outbox = createTaskOutbox({
    journal: {
      name: 'memory',
      find: () => ({ stage: 'result', result }),
      open: () => [],
      results: () => ['ended'],
    },
    machine: () => machine,
    process: () => process,
    log: createLog({ component: 'agent', destination: { write: (line) => logged.push(line) } }),
    progressEveryMs: 0,
  });
  outbox.rewind(['tasks']);
  const compose = () => outbox.compose(budget).map((text) => agentFrame.parse(JSON.parse(text)));
  return { outbox, compose, logged };
};

// Guarantee: a report that is too large, or that the API would not accept, is sent without the faulty part, and blocks nothing.
test.each<{ name: string; process: ProcessReport; told: Partial<ProcessReport> }>([
  {
    name: 'lines too large together',
    process: {
      ...running,
      lastCrash: { ...crash, lines: Array.from({ length: 50 }, () => '\u0001'.repeat(1000)) },
    },
    told: { state: 'running', lastCrash: crash },
  },
  {
    name: 'a signal that is too long',
    process: { ...running, lastCrash: { ...crash, signal: 'S'.repeat(21) } },
    told: { state: 'running', lastCrash: null },
  },
])('$name', ({ process, told }) => {
  const { outbox, compose, logged } = outboxOf(process);
  expect(compose()).toMatchObject([
    { type: 'machine' },
    { type: 'process', process: told },
    { type: 'task-result', taskId: 'ended', result: done },
  ]);
  outbox.processChanged();
  compose();
  expect(logged.length).toBe(1);
});

// Guarantee: a result that cannot be sent is reported as failed, and whatever no frame can carry is left out.
test('results and progress', () => {
  const { outbox, compose } = outboxOf(running, { ...done, detail: 'x'.repeat(2001) });
  outbox.progress('one', { step: 'x'.repeat(201), done: 1, total: null });
  outbox.progress('two', { step: 'x', done: Number.NaN, total: null });
  outbox.progress('three', { step: 'well', done: 1, total: null });
  expect(compose()).toMatchObject([
    { type: 'machine' },
    { type: 'process' },
    { type: 'task-result', result: { outcome: 'failed' } },
    { type: 'task-progress', taskId: 'three' },
  ]);
});
