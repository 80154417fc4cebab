import { expect, test } from 'vitest';
import { uploadPartBytes } from '#contracts/servers/agent-uploads.ts';
import { eventually } from '#harness/eventually.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { silentLog, testOwner } from '../../kernel/testing/feature-api.ts';
import { gatewayForThisFile } from '../agents/testing/gateway-of-a-test.ts';
import { joinSocket } from '../agents/testing/scripted-agent.ts';
import { sendPart } from '../agents/testing/send-part.ts';
import { toldMachine } from '../agents/testing/told-machine.ts';
import { createHeardLines } from './heard-lines.ts';
import { createHiddenSecrets } from './hidden-secrets.ts';
import { createKeptLines } from './kept-lines.ts';

const v = 1 as const;
const { api, database, servers, newIdentity } = await gatewayForThisFile();
const hiddenSecrets = createHiddenSecrets();
const keptLines = createKeptLines({
  servers: { get: (id) => servers.inUse.get(id) ?? null },
  tasks: api.tasks,
  heard: createHeardLines({ db: database.db, log: silentLog }),
  hiddenSecrets,
  traitsOf: () => ({}),
});

const joinAgent = async () => {
  const identity = await newIdentity();
  const agent = await joinSocket(api.port, identity);
  agent.send({
    v,
    type: 'machine',
    taskJournal: 'memory',
    machine: { ...toldMachine, tasks: ['console-history'] },
  });
  await eventually(() => expect(api.tasks.machineOf(identity.serverId).takesTasks).toBe(true));
  return { identity, agent, serverId: identity.serverId };
};

/** What is read when the agent uploads this in response. @returns also how the last part was accepted */
const answered = async (content: string) => {
  const { identity, agent, serverId } = await joinAgent();
  using _agent = agent;
  const reading = keptLines(serverId, { limit: 100, search: 'x' }, testOwner);
  const { id } = await agent.next('task');
  const parts = Math.ceil(content.length / uploadPartBytes);
  let upload: unknown = null;
  for (let part = 0; part < parts && (upload === null || upload === 200); part += 1) {
    const sent = content.slice(part * uploadPartBytes, (part + 1) * uploadPartBytes);
    const { status, json } = await sendPart(api.port, identity, { taskId: id, part, parts }, sent);
    upload = status === 200 ? status : json.code;
  }
  const result = { outcome: 'done', detail: null, value: null } as const;
  agent.send({ v, type: 'task-result', taskId: id, result });
  return { read: await reading, upload, serverId };
};
const pageOf = (lines: unknown, next: unknown = null) => JSON.stringify({ lines, next });
const line = { id: '1.2', atMs: 1_800_000_000_000, text: 'a line' };

// Guarantee: something that is not a page of lines is reported as an unavailable history, and a page that is too large is not even written.
test.each([
  ['no JSON', '{"lines":[', 200],
  ['no page', '[]', 200],
  ['more lines than a page has', pageOf(Array.from({ length: 1001 }, () => line)), 200],
  ['a line without a time', pageOf([{ ...line, atMs: null }]), 200],
  ['a cursor that is none', pageOf([line], 5), 200],
  ['many empty lines', `{"lines":[${'{},'.repeat(1_000_000)}{}],"next":null}`, 'PAYLOAD_TOO_LARGE'],
])('%s', async (_name, content, upload) => {
  const answer = await answered(content);
  expect(answer).toMatchObject({ read: { refused: 'CONSOLE_HISTORY_AWAY' }, upload });
});

// Guarantee: times that no clock can show and lines without an end are shown as far as possible.
test('wild lines', async () => {
  const lines = [1e300, -9e15, 5].map((atMs) => ({ ...line, atMs, text: 'x'.repeat(9000) }));
  const { read } = await answered(pageOf(lines, '1.1'));
  if (!('rows' in read)) throw new Error('no rows were read');
  expect(read.rows.map(({ at }) => at)).toEqual(
    [Date.UTC(9999, 11, 31), 0, 5].map((ms) => new Date(ms).toISOString()),
  );
  for (const { text } of read.rows) expect(text.length).toBeLessThanOrEqual(4000);
  expect(read.nextCursor).toBe('1.1');
});

// Guarantee: a secret that was whispered in a game is masked in what the game has kept of it.
test('a secret in a line', async () => {
  const { identity, agent, serverId } = await joinAgent();
  using _agent = agent;
  hiddenSecrets.hide(serverId, 'code-4711');
  const reading = keptLines(serverId, { limit: 1 }, testOwner);
  const { id: taskId } = await agent.next('task');
  const content = pageOf([{ ...line, text: 'you whisper code-4711' }]);
  await sendPart(api.port, identity, { taskId, part: 0, parts: 1 }, content);
  agent.send({ v, type: 'task-result', taskId, result: { outcome: 'done', detail: null, value: null } });
  const read = JSON.stringify(await reading);
  expect(read).toContain('you whisper');
  expect(read).not.toContain('4711');
});

// Guarantee: an actor who may read only another server's console is refused, and the agent is asked nothing.
test('another server', async () => {
  const { agent, serverId } = await joinAgent();
  using _agent = agent;
  const actor: Actor = {
    ...testOwner,
    permissions: new Set(['servers.read']),
    serverPermissions: new Map([['another', new Set(['console.read'])]]),
  };
  expect(await keptLines(serverId, { limit: 1 }, actor)).toMatchObject({ refused: 'FORBIDDEN' });
  expect((await api.tasks.page(serverId, { limit: 1 })).rows).toEqual([]);
});
