import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { filePartBytes, fileProofText } from '#contracts/servers/agent-files.ts';
import type { ModFile } from '#contracts/servers/agent-mods.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { Secret } from '#runtime/secret.ts';
import { createTaskFiles, requestProofOf } from '../../../agent/tasks/task-files.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { gatewayForThisFile } from './testing/gateway-of-a-test.ts';
import { type AgentIdentity, agentIdentity, askNonce, joinSocket } from './testing/scripted-agent.ts';
import { toldMachine } from './testing/told-machine.ts';

const v = 1 as const;
const folder = await temporaryFolder('agent-files');
afterAll(() => folder[Symbol.asyncDispose]());
const content = randomBytes(2 * filePartBytes + 77);
const path = join(folder.path, 'mod.jar');
await writeFile(path, content);
const { api, newIdentity } = await gatewayForThisFile({
  fileSources: {
    files: {
      open: async (_server, _task, fileId) => (fileId === 'known' ? { path, bytes: content.length } : null),
    },
    keys: { curseforge: async () => 'the-key' },
  },
});

const kept = (id: string): ModFile => ({
  name: 'mod.jar',
  bytes: null,
  hashes: {},
  from: { kind: 'api', id },
});
const keyed = {
  ...kept('none'),
  from: { kind: 'address', url: 'https://edge.forgecdn.net/mod.jar', key: 'curseforge' },
} as const;

const identityOf = ({ serverId, secret, privateKey, agentKey }: AgentIdentity) => ({
  serverId,
  secret: new Secret(secret),
  key: { privateKey, publicKey: agentKey },
});
const filesOf = (identity: AgentIdentity) =>
  createTaskFiles({
    apiUrl: new URL(`http://127.0.0.1:${api.port}/`),
    pins: [],
    identity: identityOf(identity),
  });
const inspecting = async (file: ModFile) => {
  const identity = await newIdentity();
  const agent = await joinSocket(api.port, identity);
  agent.send({ v, type: 'machine', taskJournal: 'memory', machine: toldMachine });
  const running = api.tasks.run(
    identity.serverId,
    { kind: 'inspect-mod', file },
    { by: testOwner, expiresInMs: 60_000 },
  );
  running.catch(() => undefined);
  const { id: taskId } = await agent.next('task');
  const end = async () => {
    const result = { outcome: 'done', detail: null, value: null } as const;
    agent.send({ v, type: 'task-result', taskId, result });
    await running;
  };
  return { identity, taskId, end, [Symbol.dispose]: () => agent[Symbol.dispose]() };
};
const signal = AbortSignal.timeout(60_000);

// Guarantee: an agent gets each part of a file that its task names, unaltered.
test('parts of a file', async () => {
  using task = await inspecting(kept('known'));
  const files = filesOf(task.identity);
  const parts = [];
  for (const part of [0, 1, 2]) parts.push(await files.part(task.taskId, 'known', part, signal));
  expect(Buffer.concat(parts.map((part) => part.content)).equals(content)).toBe(true);
  expect(parts.map(({ bytes }) => bytes)).toEqual([content.length, content.length, content.length]);
  await expect(files.part(task.taskId, 'known', 3, signal)).rejects.toMatchObject({ fault: 'gone' });
  await expect(files.part(task.taskId, 'other', 0, signal)).rejects.toMatchObject({ fault: 'gone' });
  await expect(files.curseforgeKey(task.taskId, signal)).rejects.toMatchObject({ fault: 'key' });
  await task.end();
  await expect(files.part(task.taskId, 'known', 0, signal)).rejects.toMatchObject({ fault: 'gone' });
});

// Guarantee: only the agent whose running task needs the key gets it.
test('the key', async () => {
  using task = await inspecting(keyed);
  using other = await inspecting(keyed);
  const files = filesOf(task.identity);
  expect(await files.curseforgeKey(task.taskId, signal)).toBe('the-key');
  await expect(files.curseforgeKey(other.taskId, signal)).rejects.toMatchObject({ fault: 'key' });
  const wrong = [
    { ...task.identity, secret: 'another secret' },
    agentIdentity(task.identity.serverId),
    { ...task.identity, privateKey: other.identity.privateKey },
  ];
  for (const identity of wrong)
    await expect(filesOf(identity).curseforgeKey(task.taskId, signal)).rejects.toMatchObject({
      fault: 'key',
    });
  await task.end();
  await expect(files.curseforgeKey(task.taskId, signal)).rejects.toMatchObject({ fault: 'key' });
});

// Guarantee: a proof works for one request, and only for the one it was made for.
test('a proof shown twice, or for another part', async () => {
  using task = await inspecting(kept('known'));
  const { taskId, identity } = task;
  const proofOf = async () =>
    requestProofOf(identityOf(identity), await askNonce(api.port), (shown) =>
      fileProofText(shown, { taskId, fileId: 'known', part: 0 }),
    );
  const send = (body: object, part = 0) =>
    ask(api.port, `/api/game-agent/files/${taskId}/known?part=${part}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const shown = await proofOf();
  expect((await send(shown)).status).toBe(200);
  expect((await send(shown)).json).toMatchObject({ code: 'AGENT_NONCE_INVALID' });
  expect((await send(await proofOf(), 1)).json).toMatchObject({ code: 'AGENT_PROOF_WRONG' });
});
