// @module-tag identity

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import type { AgentTask, TaskResult } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { Secret } from '#runtime/secret.ts';
import type { TaskRun } from '../../agent/tasks/task-handlers.ts';
import { startTestAgent } from '../../agent/testing/test-agent.ts';
import { testOwner } from '../../server/kernel/testing/feature-api.ts';
import { gatewayForThisFile } from '../../server/servers/agents/testing/gateway-of-a-test.ts';
import { testAgentSecret } from '../../server/servers/agents/testing/test-gateway.ts';
import { startMinecraft } from '../simulators/minecraft-simulator.ts';

const content = randomBytes(50 * 1024 * 1024);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const task: AgentTask = { kind: 'console-history', before: null, search: null, limit: 1 };
const how = { by: testOwner, expiresInMs: 60_000 };

const { api, newServer } = await gatewayForThisFile();
const serverId = await newServer();
const game = await startMinecraft();
afterAll(() => game[Symbol.asyncDispose]());

/** A connection to the API on which part of an upload is held until released. */
const slowLine = async (port: number) => {
  const state = { isHeld: false, uploads: 0, held: new Set<Socket>() };
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        for (const end of [near, far]) end.destroy();
      });
    }
    far.on('data', (chunk) => near.write(chunk));
    near.on('data', (chunk) => {
      far.write(chunk);
      if (!chunk.includes('POST /api/game-agent/uploads/')) return;
      state.uploads += 1;
      if (!state.isHeld) return;
      state.held.add(near);
      near.pause();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    state,
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    letGo() {
      state.isHeld = false;
      for (const socket of state.held) socket.resume();
      state.held.clear();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

const uploads = async (_task: unknown, run: TaskRun): Promise<TaskResult> => {
  await run.upload(content);
  return { outcome: 'done', detail: null, value: { sha256: sha256(content) } };
};
const startAgent = (apiUrl: URL, stateFolder: string, handler = uploads) =>
  startTestAgent({
    config: {
      apiUrl,
      serverId,
      secret: new Secret(testAgentSecret),
      console: { host: '127.0.0.1', port: game.port, password: new Secret(game.password) },
      stateFolder,
    },
    handlers: { 'console-history': { run: handler, recover: handler } },
  });

// Guarantee: while 50 MB of a task are stuck in transit, commands are answered and heartbeats acknowledged; afterwards the upload is
// complete, and a task that is cancelled during an upload ends.
test('an upload delays no command', { timeout: 120_000 }, async () => {
  await using folder = await temporaryFolder('uploads');
  await using line = await slowLine(api.port);
  await using _agent = await startAgent(line.url, folder.path);
  await eventually(() => expect(api.tasks.machineOf(serverId).takesTasks).toBe(true), 30_000);

  line.state.isHeld = true;
  let received = '';
  const onUpload = async ({ path }: { path: string }) => {
    received = sha256(await readFile(path));
  };
  const running = api.tasks.run(serverId, task, { ...how, onUpload });
  await eventually(() => expect(line.state.held.size).toBe(1), 30_000);
  const before = api.gateway.reading(serverId)?.lastSeenAt ?? '';
  for (let kick = 0; kick < 3; kick += 1) {
    const kicked = await api.gateway.run(serverId, `say kick ${kick}`, {
      timeoutMs: 30_000,
      expiresInMs: 30_000,
    });
    expect(kicked.outcome).toBe('answered');
  }
  await eventually(
    () => expect((api.gateway.reading(serverId)?.lastSeenAt ?? '') > before).toBe(true),
    30_000,
  );
  expect(line.state.held.size).toBe(1);
  line.letGo();
  expect(await running).toMatchObject({ outcome: 'done', value: { sha256: sha256(content) } });
  expect(received).toBe(sha256(content));
  expect(line.state.uploads).toBe(100);

  line.state.isHeld = true;
  const cancelling = new AbortController();
  const cancelled = api.tasks.run(serverId, task, { ...how, onUpload, signal: cancelling.signal });
  await eventually(() => expect(line.state.held.size).toBe(1), 30_000);
  cancelling.abort();
  expect(await cancelled).toMatchObject({ outcome: 'cancelled' });
});
