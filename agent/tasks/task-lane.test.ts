import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AgentFrame, agentCapabilities } from '#contracts/servers/agent-protocol.ts';
import type { AgentTask, TaskResult } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { Secret } from '#runtime/secret.ts';
import { type ApiPeer, startApiPeer } from '../testing/api-peer.ts';
import { startTestAgent, type TestAgent } from '../testing/test-agent.ts';
import type { TaskHandlers, TaskRun } from './task-handlers.ts';

const v = 1 as const;
const backup: AgentTask = { kind: 'backup-saves' };
const done: TaskResult = { outcome: 'done', detail: null, value: null };

const framesOf = <Type extends AgentFrame['type']>(peer: ApiPeer, type: Type) =>
  peer.heard.flatMap(({ frame }) =>
    frame.type === type ? [frame as Extract<AgentFrame, { type: Type }>] : [],
  );

const startAgent = async (
  peer: ApiPeer,
  stateFolder: string,
  handlers: TaskHandlers = {},
): Promise<TestAgent> =>
  startTestAgent({
    config: {
      apiUrl: peer.url,
      // No game listens there.
      console: { host: '127.0.0.1', port: await freePort(), password: new Secret('') },
      stateFolder,
    },
    handlers,
    timing: { slowMs: () => 20 },
  });

/** Of a game that is wanted, as an agent left it. */
const writePowerRecord = async (powerFolder: string): Promise<void> => {
  await mkdir(powerFolder, { recursive: true });
  const record = {
    wanted: 'running',
    action: null,
    launch: null,
    crashes: [],
    boot: '',
    hasGivenUp: false,
    lastTask: null,
  };
  await writeFile(join(powerFolder, 'power.json'), JSON.stringify(record));
};

// Guarantee: an older API receives nothing about tasks, machines and processes, whatever the agent has to report.
test('an API without the capability', async () => {
  await using folder = await temporaryFolder('lane');
  await using peer = await startApiPeer({ capabilities: ['command-journal', 'result-evidence'] });
  await using _agent = await startAgent(peer, folder.path, {
    'backup-saves': { run: async () => done, recover: async () => done },
  });
  await eventually(() => expect(peer.sockets.size).toBe(1));
  peer.say({ v, type: 'task', id: 't', task: backup, expiresInMs: 60_000 });
  const beats = framesOf(peer, 'heartbeat').length;
  await eventually(() => expect(framesOf(peer, 'heartbeat').length).toBeGreaterThan(beats + 2));
  expect(new Set(peer.heard.map(({ frame }) => frame.type))).toEqual(
    new Set(['command-journal', 'heartbeat']),
  );
});

// Guarantee: an API without the capability receives what it knows of a game whose program is not there: the state and the reason in
// words; one with it receives the code, too.
test.each([
  ['knows', agentCapabilities, true],
  ['does not know', agentCapabilities.filter((name) => name !== 'program-fault'), false],
])('an API that %s the fault of a program', async (_name, capabilities, isKnown) => {
  await using folder = await temporaryFolder('lane');
  await using peer = await startApiPeer({ capabilities });
  await writePowerRecord(join(folder.path, 'power'));
  await using _agent = await startTestAgent({
    config: {
      apiUrl: peer.url,
      console: { host: '127.0.0.1', port: await freePort(), password: new Secret('') },
      stateFolder: folder.path,
      server: {
        folder: folder.path,
        start: { by: 'holder', command: ['./game'], account: null },
        allow: { power: true, files: false, mods: false },
      },
    },
    timing: { slowMs: () => 20 },
  });
  const newest = () => framesOf(peer, 'process').at(-1)?.process;
  const path = join(folder.path, 'game');
  const detail = `The program ${path} does not exist.`;
  await eventually(() =>
    expect(newest()).toMatchObject({ state: 'stopped', wanted: 'running', crashes: 0, detail }),
  );
  expect(newest()?.program).toEqual(isKnown ? { code: 'program-missing', values: [path] } : undefined);
  expect(peer.faults).toEqual([]);
});

// Guarantee: an API that has not proven that it knows the secret gets no task run.
test('an API that is none', async () => {
  await using folder = await temporaryFolder('lane');
  await using peer = await startApiPeer({ ownSecret: 'not the secret of this agent' });
  let runs = 0;
  const run = async () => {
    runs += 1;
    return done;
  };
  await using agent = await startAgent(peer, folder.path, { 'backup-saves': { run, recover: run } });
  await eventually(() => expect(peer.hellos.length).toBeGreaterThan(3));
  for (let index = 0; index < 5; index += 1)
    peer.say({ v, type: 'task', id: `t${index}`, task: backup, expiresInMs: 60_000 });
  const hellos = peer.hellos.length;
  await eventually(() => expect(peer.hellos.length).toBeGreaterThan(hellos + 3));
  expect(runs).toBe(0);
  expect(agent.logged.join('')).not.toContain('task');
});

// Guarantee: `machine` and `process` come first on every connection, results again until they are received, and of many progress
// reports only the newest.
test('on each connection', async () => {
  await using folder = await temporaryFolder('lane');
  await using peer = await startApiPeer();
  const held = Promise.withResolvers<TaskResult>();
  const run = async (_task: AgentTask, { progress }: TaskRun) => {
    for (let index = 0; index <= 1000; index += 1) progress({ step: 'Copying', done: index, total: 1000 });
    return held.promise;
  };
  await using _agent = await startAgent(peer, folder.path, { 'backup-saves': { run, recover: run } });
  await eventually(() => expect(peer.sockets.size).toBe(1));
  peer.say({ v, type: 'task', id: 't', task: backup, expiresInMs: 60_000 });
  peer.say({ v, type: 'task-cancel', id: 'of another server' });
  await eventually(() => expect(framesOf(peer, 'task-progress').at(-1)?.progress.done).toBe(1000));
  expect(framesOf(peer, 'task-progress').length).toBeLessThan(10);
  held.resolve(done);
  await eventually(() => expect(framesOf(peer, 'task-result').length).toBe(1));
  for (let connection = 2; connection < 4; connection += 1) {
    peer.closeSockets(1001);
    await eventually(() => expect(framesOf(peer, 'task-result').length).toBe(connection));
  }
  peer.say({ v, type: 'tasks-received', taskIds: ['t', 'none'] });
  peer.say({ v, type: 'task', id: 't', task: backup, expiresInMs: 60_000, accepted: true });
  await eventually(() => expect(framesOf(peer, 'task-result').length).toBe(4));
  expect(framesOf(peer, 'task-result').map(({ result }) => result.outcome)).toEqual(Array(4).fill('done'));
  const machines = framesOf(peer, 'machine');
  expect(machines.length).toBe(peer.hellos.length);
  expect(new Set(machines.map(({ taskJournal }) => taskJournal)).size).toBe(1);
  expect(machines[0]?.machine.tasks).toEqual(expect.arrayContaining(['power', 'backup-saves']));
  expect(framesOf(peer, 'process').length).toBe(peer.hellos.length);
  expect(peer.faults).toEqual([]);
});
