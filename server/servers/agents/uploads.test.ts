import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { AgentFrame } from '#contracts/servers/agent-protocol.ts';
import type { AgentTask, TaskResult } from '#contracts/servers/agent-tasks.ts';
import { largestUpload, uploadPartBytes } from '#contracts/servers/agent-uploads.ts';
import { eventually } from '#harness/eventually.ts';
import type { Answer } from '../../kernel/testing/ask.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { gatewayForThisFile } from './testing/gateway-of-a-test.ts';
import {
  type AgentIdentity,
  agentIdentity,
  askNonce,
  joinSocket,
  type SocketAgent,
} from './testing/scripted-agent.ts';
import { sendPart } from './testing/send-part.ts';
import { toldMachine } from './testing/told-machine.ts';

const v = 1 as const;
const { api, servers, newIdentity } = await gatewayForThisFile();

const task: AgentTask = { kind: 'console-history', before: null, search: null, limit: 1 };
const done: TaskResult = { outcome: 'done', detail: null, value: null };

interface UploadingAgent extends Disposable {
  readonly identity: AgentIdentity;
  readonly agent: SocketAgent;
  readonly taskId: string;
  readonly received: string[];
  readonly running: Promise<TaskResult>;
  end(): void;
}

/** An agent with a running task that wants an upload. */
const uploadingAgent = async ({ wants = true } = {}): Promise<UploadingAgent> => {
  const identity = await newIdentity();
  const agent = await joinSocket(api.port, identity);
  agent.send({ v, type: 'machine', taskJournal: 'memory', machine: toldMachine });
  const received: string[] = [];
  const onUpload = async ({ path }: { path: string }) => void received.push(await readFile(path, 'utf8'));
  const running = api.tasks.run(identity.serverId, task, {
    by: testOwner,
    expiresInMs: 60_000,
    ...(wants ? { onUpload } : {}),
  });
  running.catch(() => undefined);
  const { id } = await agent.next('task');
  const frame: AgentFrame = { v, type: 'task-result', taskId: id, result: done };
  return {
    identity,
    agent,
    taskId: id,
    received,
    running,
    end: () => agent.send(frame),
    [Symbol.dispose]: () => agent[Symbol.dispose](),
  };
};

const send = sendPart.bind(null, api.port);

// Guarantee: what arrives in parts is handed over whole before the result, a repeated part counts once, and nothing stays on the disk.
test('an upload', async () => {
  using uploading = await uploadingAgent();
  const { identity, taskId } = uploading;
  const first = 'a'.repeat(uploadPartBytes);
  const answer = await send(identity, { taskId, part: 0, parts: 2 }, first);
  expect(answer.status).toBe(200);
  expect((await send(identity, { taskId, part: 0, parts: 2 }, first)).status).toBe(200);
  const nonce = String(answer.json.nonce);
  expect((await send(identity, { taskId, part: 1, parts: 2 }, 'end', { nonce })).status).toBe(200);
  uploading.end();
  expect(await uploading.running).toMatchObject(done);
  expect(uploading.received).toEqual([`${first}end`]);
  await eventually(async () => expect(await readdir(api.uploadsFolder)).toEqual([]));
});

// Guarantee: a retry starts again with the first part, and an incomplete upload is not handed over.
test('a retry, and half an upload', async () => {
  using uploading = await uploadingAgent();
  const { identity, taskId } = uploading;
  await send(identity, { taskId, part: 0, parts: 2 }, 'wrong');
  await send(identity, { taskId, part: 0, parts: 1 }, 'right');
  uploading.end();
  await uploading.running;
  expect(uploading.received).toEqual(['right']);
  using half = await uploadingAgent();
  await send(half.identity, { taskId: half.taskId, part: 0, parts: 2 }, 'half');
  half.end();
  expect(await half.running).toMatchObject(done);
  expect(half.received).toEqual([]);
});

interface Attack {
  readonly name: string;
  readonly code: string;
  /** @param victim has a running task that wants an upload, and so has the attacker, whose secret is right as well */
  attack(victim: UploadingAgent, attacker: UploadingAgent): Promise<Answer>;
}
const part = (taskId: string) => ({ taskId, part: 0, parts: 1 });

const attacks: readonly Attack[] = [
  {
    name: 'without a proof',
    code: 'INVALID_REQUEST',
    attack: ({ identity, taskId }) => send(identity, part(taskId), 'x', { rawHeader: '' }),
  },
  {
    name: 'a proof that is no JSON',
    code: 'INVALID_REQUEST',
    attack: ({ identity, taskId }) => send(identity, part(taskId), 'x', { rawHeader: 'e30' }),
  },
  {
    name: 'by another secret',
    code: 'AGENT_PROOF_WRONG',
    attack: ({ identity, taskId }) =>
      send(identity, part(taskId), 'x', { identity: { ...identity, secret: 'another secret' } }),
  },
  {
    name: 'by another key of the same secret',
    code: 'AGENT_KEY_MISMATCH',
    attack: ({ identity, taskId }) =>
      send(identity, part(taskId), 'x', { identity: agentIdentity(identity.serverId) }),
  },
  {
    name: "signed by another key under the server's",
    code: 'AGENT_PROOF_WRONG',
    attack: ({ identity, taskId }, attacker) =>
      send(identity, part(taskId), 'x', {
        identity: { ...identity, privateKey: attacker.identity.privateKey },
      }),
  },
  {
    name: "for another server's task",
    code: 'AGENT_UPLOAD_UNWANTED',
    attack: ({ taskId }, attacker) => send(attacker.identity, part(taskId), 'x'),
  },
  {
    name: 'for no task',
    code: 'AGENT_UPLOAD_UNWANTED',
    attack: ({ identity }) => send(identity, part('none'), 'x'),
  },
  {
    name: 'an altered body',
    code: 'AGENT_PROOF_WRONG',
    attack: ({ identity, taskId }) => send(identity, part(taskId), 'xxxx', { body: 'yyyy' }),
  },
  {
    name: 'a longer body',
    code: 'AGENT_PROOF_WRONG',
    attack: ({ identity, taskId }) => send(identity, part(taskId), 'xxxx', { body: 'xxxxx' }),
  },
  {
    name: 'moved to another task',
    code: 'AGENT_PROOF_WRONG',
    attack: ({ identity, taskId }, attacker) =>
      send(identity, part(attacker.taskId), 'x', { said: { taskId } }),
  },
  {
    name: 'moved to another part',
    code: 'AGENT_PROOF_WRONG',
    attack: ({ identity, taskId }) => send(identity, part(taskId), 'x', { said: { parts: 2 } }),
  },
  {
    name: 'a made-up nonce',
    code: 'AGENT_NONCE_INVALID',
    attack: ({ identity, taskId }) => send(identity, part(taskId), 'x', { nonce: 'made-up' }),
  },
  {
    name: 'replayed',
    code: 'AGENT_NONCE_INVALID',
    async attack({ identity, taskId }, attacker) {
      const nonce = await askNonce(api.port);
      expect((await send(attacker.identity, part(attacker.taskId), 'x', { nonce })).status).toBe(200);
      return send(identity, part(taskId), 'x', { nonce });
    },
  },
  {
    name: 'a second part without the first',
    code: 'AGENT_UPLOAD_OUT_OF_ORDER',
    attack: ({ identity, taskId }) => send(identity, { taskId, part: 1, parts: 2 }, 'x'),
  },
  {
    name: 'more parts than an upload can have',
    code: 'INVALID_REQUEST',
    attack: ({ identity, taskId }) =>
      send(identity, { taskId, part: 0, parts: largestUpload / uploadPartBytes + 1 }, 'x'),
  },
  {
    name: 'a part that is too large',
    code: 'PAYLOAD_TOO_LARGE',
    attack: ({ identity, taskId }) => send(identity, part(taskId), 'x'.repeat(uploadPartBytes + 1)),
  },
  {
    name: 'a path in place of a task',
    code: 'INVALID_REQUEST',
    attack: ({ identity }) => send(identity, part('..%2F..%2Fetc'), 'x'),
  },
  {
    name: 'of a server that was archived',
    code: 'AGENT_SERVER_UNKNOWN',
    async attack({ identity, taskId }) {
      const server = servers.inUse.get(identity.serverId);
      servers.inUse.delete(identity.serverId);
      const answer = await send(identity, part(taskId), 'x');
      if (server) servers.inUse.set(identity.serverId, server);
      return answer;
    },
  },
];

// Guarantee: each of these requests is refused, and the waiting caller gets nothing from any of them.
test.each(attacks)('$name is refused', async ({ attack, code }) => {
  using victim = await uploadingAgent();
  using attacker = await uploadingAgent();
  const answer = await attack(victim, attacker);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.json.code).toBe(code);
  victim.end();
  expect(await victim.running).toMatchObject(done);
  expect(victim.received).toEqual([]);
});

// Guarantee: nothing is accepted for a task that is done, or whose caller wants no upload.
test('nobody waits for it', async () => {
  using finished = await uploadingAgent();
  finished.end();
  await finished.running;
  using unwanted = await uploadingAgent({ wants: false });
  for (const { identity, taskId } of [finished, unwanted])
    expect((await send(identity, part(taskId), 'x')).json.code).toBe('AGENT_UPLOAD_UNWANTED');
  expect(await readdir(api.uploadsFolder)).not.toContain(finished.taskId);
  unwanted.end();
});
