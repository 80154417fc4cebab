import { expect, test } from 'vitest';
import { chatFormsHttp } from '#contracts/servers/chat-forms.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, customRole, newServer, person } from '../../kernel/testing/call.ts';
import { testAgentSecret, testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { agentIdentity, joinSocket } from '../agents/testing/scripted-agent.ts';

const running = apiForThisFile();
const port = () => running().port;
const owner = { as: testDesktopCredential };
const game = 'minecraft';

const set = (serverId: string, version: number, forms: readonly string[], as = owner.as) =>
  call(port(), chatFormsHttp.set, { as, params: { id: serverId }, body: { version, forms: [...forms] } });
const listed = async (serverId: string, as = owner.as) => {
  const { json } = await call(port(), chatFormsHttp.list, { as });
  return (json.rows as { serverId: string }[]).find((row) => row.serverId === serverId);
};

// Guarantee: a server's agent is told the chosen forms at each welcome and at each change, and what it reports is shown; the example
// only to those who may read the console.
test('forms reach the agent', async () => {
  const serverId = await newServer(port(), { game });
  expect(await listed(serverId)).toMatchObject({
    takesForms: true,
    forms: [],
    version: 0,
    heardAt: null,
    isRead: null,
  });
  const identity = agentIdentity(serverId, testAgentSecret);
  const join = () => joinSocket(port(), identity, { changes: { game } });
  const formsOf = (agent: Awaited<ReturnType<typeof join>>) =>
    agent.frames.flatMap((frame) => (frame.type === 'chat-forms' ? [frame.forms] : []));
  {
    using agent = await join();
    const saved = await set(serverId, 0, ['[Member] {name}: {text}', '[Member] {name}: {text}']);
    expect(saved.status, saved.text).toBe(200);
    expect(saved.json).toMatchObject({ forms: ['[Member] {name}: {text}'], version: 1, isRead: null });
    await eventually(() => expect(formsOf(agent)).toEqual([['[Member] {name}: {text}']]));
    const unread = { count: 2, example: '[Owner] Ann: hi' };
    agent.send({ v: 1, type: 'chat-reading', forms: 1, unread });
    await eventually(async () => expect(await listed(serverId)).toMatchObject({ isRead: true, unread }));
    const role = await customRole(port(), ['servers.read']);
    const { token } = await person(port(), { role });
    expect(await listed(serverId, token)).toMatchObject({ isRead: true, unread: null });
    agent.send({
      v: 1,
      type: 'events',
      events: [{ number: 1, kind: 'chat', player: { name: 'Ann', platformId: null }, text: 'hi', ageMs: 0 }],
    });
    await eventually(async () =>
      expect(await listed(serverId)).toMatchObject({ heardAt: expect.any(String) }),
    );
  }
  expect((await set(serverId, 1, [])).status).toBe(200);
  using next = await join();
  await eventually(() => expect(formsOf(next)).toEqual([[]]));
});

// Guarantee: a form that could name several players, an outdated change and one without the right are refused.
test('refusals', async () => {
  const serverId = await newServer(port(), { game });
  for (const form of ['{name} {text}', '{any} {name}: {text}', '{text}', '{name}: {name}: {text}'])
    expect((await set(serverId, 0, [form])).json.code, form).toBe('INVALID_REQUEST');
  expect((await set(serverId, 3, ['{name}: {text}'])).json.code).toBe('CONFLICT');
  expect((await set('cnoserverwiththisidatall1', 0, [])).json.code).toBe('NOT_FOUND');
  const other = await newServer(port(), { game: 'palworld' });
  expect((await set(other, 0, ['{name}: {text}'])).json.code).toBe('INVALID_REQUEST');
  expect(await listed(other)).toMatchObject({ takesForms: false });
  const { token } = await person(port(), { role: await customRole(port(), ['servers.read']) });
  expect((await set(serverId, 0, [], token)).json.code).toBe('FORBIDDEN');
  const asked = { params: { id: serverId }, body: { forms: [] } };
  expect((await call(port(), chatFormsHttp.trial, { as: token, ...asked })).json.code).toBe('FORBIDDEN');
  const tried = await call(port(), chatFormsHttp.trial, { ...owner, ...asked });
  // No agent is there that keeps lines.
  expect(tried.json.code).toBe('CONSOLE_HISTORY_AWAY');
});
