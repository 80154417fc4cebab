import { expect, test } from 'vitest';
import { consoleHttp } from '#contracts/console.ts';
import { eventually } from '#harness/eventually.ts';
import { gatewayForThisFile } from '../agents/testing/gateway-of-a-test.ts';
import { joinSocket } from '../agents/testing/scripted-agent.ts';
import { toldMachine } from '../agents/testing/told-machine.ts';
import { uploadPart } from '../agents/testing/upload-part.ts';
import { testOwner } from '../testing/feature-api.ts';
import { createHiddenSecrets } from './hidden-secrets.ts';
import { createKeptLines } from './kept-lines.ts';

const v = 1 as const;
const { api, servers, newIdentity } = await gatewayForThisFile();
const keptLines = createKeptLines({
  servers: { get: (id) => servers.inUse.get(id) ?? null },
  tasks: api.tasks,
  hiddenSecrets: createHiddenSecrets(),
});

/** What the API makes of what an agent uploads as a page. */
const readPage = async (uploaded: string) => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  const machine = { ...toldMachine, tasks: ['console-history'] };
  agent.send({ v, type: 'machine', taskJournal: 'memory', machine });
  await eventually(() => expect(api.tasks.machineOf(identity.serverId).takesTasks).toBe(true));
  const read = keptLines(identity.serverId, { limit: 10 }, testOwner);
  const { id: taskId } = await agent.next('task');
  expect((await uploadPart(api.port, identity, { taskId, part: 0, parts: 1 }, uploaded)).status).toBe(200);
  agent.send({ v, type: 'task-result', taskId, result: { outcome: 'done', detail: null, value: null } });
  return read;
};

// Guarantee: a clock that tells any time at all leaves the lines readable.
test('the clock of the machine', async () => {
  const times = [0, 8.64e15, -8.64e15, 1e300, -1, 253_402_300_800_000];
  const lines = times.map((atMs, index) => ({ id: String(index), atMs, text: `line ${index}` }));
  const page = consoleHttp.lines.response.parse(await readPage(JSON.stringify({ lines, next: null })));
  expect(page.rows.map(({ text }) => text)).toEqual(lines.map(({ text }) => text));
  expect(page.rows[0]?.at).toBe('1970-01-01T00:00:00.000Z');
});

// Guarantee: what is no page of lines is no page for the panel either.
test.each([
  ['no JSON', '{"lines":['],
  ['another shape', '{"lines":[{"id":1}],"next":null}'],
])('%s', async (_what, uploaded) => {
  expect(await readPage(uploaded)).toMatchObject({ refused: 'CONSOLE_HISTORY_AWAY' });
});
