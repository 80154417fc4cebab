import { request } from 'node:http';
import { expect, test, vi } from 'vitest';
import {
  type AgentFrame,
  type ApiFrame,
  agentCloseCodes,
  largestAgentFrame,
} from '#contracts/servers/agent-protocol.ts';
import { agentEndpoints } from '#contracts/servers/agents.ts';
import { eventually } from '#harness/eventually.ts';
import type { Answer } from '../../kernel/testing/ask.ts';
import { gatewayForThisFile } from './testing/gateway-of-a-test.ts';
import {
  type AgentIdentity,
  answered,
  askNonce,
  framesOf,
  helloOf,
  joinSocket,
  type PollOptions,
  poll,
  post,
} from './testing/scripted-agent.ts';
import { startTestGateway } from './testing/test-gateway.ts';

const v = 1 as const;
const { api, database, servers, newIdentity } = await gatewayForThisFile();

const patience = { timeoutMs: 20_000, expiresInMs: 20_000 };
const typesOf = (frames: readonly ApiFrame[]) => frames.map(({ type }) => type);

/** A poll that the API holds; the API is known to have it. */
const holdPoll = async (identity: AgentIdentity, options: PollOptions = {}) => {
  const before = api.gateway.reading(identity.serverId)?.lastSeenAt;
  let isOver = false;
  const answer = poll(api.port, identity, { ...options, hold: true }).finally(() => {
    isOver = true;
  });
  await eventually(() => expect(api.gateway.reading(identity.serverId)?.lastSeenAt).not.toBe(before));
  return { answer, isOver: () => isOver };
};
const commandsIn = (answer: Answer) =>
  framesOf(answer).flatMap((frame) => (frame.type === 'command' ? [frame.id] : []));

// Guarantee: a poll says all that the agent has, and its answer says all that the API has, with a nonce for the next one.
test('a poll', async () => {
  const identity = await newIdentity();
  const first = await poll(api.port, identity, {
    frames: [
      { v, type: 'heartbeat', number: 7, state: 'online', detail: null, players: [] },
      {
        v,
        type: 'events',
        events: [
          { number: 1, kind: 'chat', player: { name: 'Ann', platformId: null }, text: 'hi', ageMs: 5 },
        ],
      },
    ],
  });
  const frames = framesOf(first);
  expect(typesOf(frames)).toEqual(['welcome', 'ack', 'ack']);
  expect(frames.slice(1)).toMatchObject([{ heartbeat: 7 }, { heartbeat: null, events: 1 }]);
  expect(api.observed.events.filter(({ serverId }) => serverId === identity.serverId)).toHaveLength(1);
  expect((await poll(api.port, identity, { nonce: String(first.json.nonce) })).status).toBe(200);
});

// Guarantee: a held poll is answered as soon as there is a command; its result ends the command for good.
test('a held poll', async () => {
  const identity = await newIdentity();
  const held = await holdPoll(identity);
  const running = api.gateway.run(identity.serverId, 'list', { id: 'held', ...patience });
  expect(commandsIn(await held.answer)).toEqual(['held']);
  const answer = await poll(api.port, identity, {
    frames: [
      { v, type: 'accepted', commandIds: ['held'] },
      { v, type: 'result', commandId: 'held', result: answered('one\ud800') },
    ],
    hold: true,
  });
  expect(typesOf(framesOf(answer))).toEqual(['welcome', 'received']);
  expect(await running).toEqual(answered('one\ufffd'));
});

// Guarantee: a command whose response was lost on its way is sent again with the next poll, until the agent has it.
test('a lost answer', async () => {
  const identity = await newIdentity();
  void api.gateway.run(identity.serverId, 'list', { id: 'lost', ...patience }).catch(() => undefined);
  await eventually(() => expect(api.gateway.reading(identity.serverId)?.waitingCommands).toBe(1));
  // It waits from the first moment, but goes out only when it is written.
  await eventually(async () => expect(commandsIn(await poll(api.port, identity))).toEqual(['lost']));
  expect(commandsIn(await poll(api.port, identity))).toEqual(['lost']);
  const accepted: AgentFrame = { v, type: 'accepted', commandIds: ['lost'] };
  expect(commandsIn(await poll(api.port, identity, { frames: [accepted] }))).toEqual([]);
  expect(commandsIn(await poll(api.port, identity))).toEqual([]);
});

// Guarantee: without anything to say a poll is answered when its time is over, and when a newer one comes.
test('the end of a hold', async () => {
  const identity = await newIdentity();
  const held = await holdPoll(identity);
  const newer = await holdPoll(identity);
  expect(typesOf(framesOf(await held.answer))).toEqual(['welcome']);
  expect(newer.isOver()).toBe(false);
  await using hasty = await startTestGateway({ database, servers, timing: { hold: 100 } });
  expect(typesOf(framesOf(await poll(hasty.port, identity, { hold: true })))).toEqual(['welcome']);
  api.gateway.watch(identity.serverId, 30);
  expect(typesOf(framesOf(await newer.answer))).toContain('watch');
});

// Guarantee: what a client that left would have been told is told to the next poll.
test('a client that goes away', async () => {
  const identity = await newIdentity();
  const nonce = await askNonce(api.port);
  const outgoing = request({
    port: api.port,
    host: '127.0.0.1',
    path: agentEndpoints.poll.path,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
  });
  const closed = new Promise((resolve) => outgoing.on('close', resolve));
  // The test itself makes it hang up.
  outgoing.on('error', () => undefined);
  outgoing.end(JSON.stringify({ v, hello: helloOf(identity, nonce), frames: [], hold: true }));
  await eventually(() => expect(api.gateway.reading(identity.serverId)?.mode).toBe('polling'));
  outgoing.destroy();
  await closed;
  void api.gateway.run(identity.serverId, 'list', { id: 'gone', ...patience }).catch(() => undefined);
  await eventually(async () => expect(commandsIn(await poll(api.port, identity))).toEqual(['gone']));
});

// Guarantee: the newest link counts. A WebSocket ends the polls, a poll the WebSocket, and a copy elsewhere the other one's link.
test('taking over', async () => {
  const identity = await newIdentity();
  const held = await holdPoll(identity);
  using agent = await joinSocket(api.port, identity);
  expect(await held.answer).toMatchObject({ status: 409, json: { code: 'AGENT_SUPERSEDED' } });
  using newer = await joinSocket(api.port, identity);
  expect((await agent.next('refused')).code).toBe('AGENT_SUPERSEDED');
  expect((await agent.closed).code).toBe(agentCloseCodes.superseded);
  const again = await holdPoll(identity);
  expect((await newer.closed).code).toBe(agentCloseCodes.superseded);
  expect((await poll(api.port, { ...identity, journal: 'a-copy' })).status).toBe(200);
  expect((await again.answer).json.code).toBe('AGENT_SUPERSEDED');
});

// Guarantee: stopping the API answers held polls immediately.
test('a stop', async () => {
  const identity = await newIdentity();
  const other = await startTestGateway({ database, servers });
  const answer = poll(other.port, identity, { hold: true });
  await eventually(() => expect(other.gateway.isPresent(identity.serverId)).toBe(true));
  await other[Symbol.asyncDispose]();
  expect((await answer).status).toBe(200);
});

// Guarantee: a body that is too large, or no poll, is refused with the location of the fault, and nothing in it is accepted.
test('bodies that are none', async () => {
  const identity = await newIdentity();
  const { path } = agentEndpoints.poll;
  const hello = helloOf(identity, await askNonce(api.port));
  const large = await post(api.port, path, {
    v,
    hello,
    frames: [],
    hold: false,
    pad: 'x'.repeat(largestAgentFrame),
  });
  expect(large.status).toBe(413);
  const odd = await post(api.port, path, { v, hello, frames: [{ v, type: 'accepted' }], hold: false });
  expect(odd).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } });
  expect((await poll(api.port, identity, { frames: [hello] })).json.code).toBe('INVALID_REQUEST');
});

// Guarantee: what only a newer agent says is ignored: unknown frames, and unknown members of known ones.
test('a newer agent', async () => {
  const identity = await newIdentity();
  const beat = { v, type: 'heartbeat', number: 0, state: 'online', detail: null, mood: 'good' } as const;
  const frames = [{ v, type: 'sing' }, beat] as unknown as AgentFrame[];
  expect(framesOf(await poll(api.port, identity, { frames }))).toContainEqual({
    v,
    type: 'ack',
    heartbeat: 0,
    events: null,
  });
});

// Guarantee: an agent that polls without a pause is slowed down, and no other.
test('a flood of polls', async () => {
  const [hasty, calm] = [await newIdentity(), await newIdentity()];
  // The clock stands still: on a slow machine, too, it polls without a pause.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  try {
    const statuses = new Set<number>();
    for (let round = 0; round < 5 && !statuses.has(429); round += 1) {
      const answers = await Promise.all(Array.from({ length: 60 }, () => poll(api.port, hasty)));
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toContain(429);
    expect((await poll(api.port, calm)).status).toBe(200);
  } finally {
    clock.mockRestore();
  }
});
