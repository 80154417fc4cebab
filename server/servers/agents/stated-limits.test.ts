import { expect, test } from 'vitest';
import {
  type AgentFrame,
  type ApiFrame,
  agentCloseCodes,
  largestAgentFrame,
} from '#contracts/servers/agent-protocol.ts';
import { eventually } from '#harness/eventually.ts';
import { gatewayForThisFile } from './testing/gateway-of-a-test.ts';
import { answered, connectSocket, framesOf, joinSocket, poll } from './testing/scripted-agent.ts';

/** The API does what agent/PROTOCOL.md says about strings, numbers, null and close codes, over both links. */

const v = 1 as const;
const { api, newIdentity } = await gatewayForThisFile();

const beat = (number: number, more: object = {}) =>
  ({ v, type: 'heartbeat', number, state: 'online', detail: null, ...more }) as AgentFrame;
const player = (name: string, platformId: string | null = null) => ({ name, platformId, handle: name });

// Guarantee: NUL and half of a surrogate pair become U+FFFD in every string, and nothing is refused for them; a whole pair stays.
test.each(['websocket', 'polling'])('strings by %s', async (way) => {
  const identity = await newIdentity();
  const odd = 'a\0b\ud83dc\udc00d\u{1f600}';
  const sound = 'a\u{fffd}b\u{fffd}c\u{fffd}d\u{1f600}';
  const frames: AgentFrame[] = [
    beat(0, { state: 'offline', detail: odd, players: [{ ...player(odd), handle: odd }] }),
    { v, type: 'result', commandId: odd, result: answered(odd) },
    {
      v,
      type: 'events',
      events: [{ number: 1, kind: 'chat', player: { name: odd, platformId: null }, text: odd, ageMs: 0 }],
    },
  ];
  let heard: readonly ApiFrame[] = [];
  if (way === 'polling') heard = framesOf(await poll(api.port, identity, { frames }));
  else {
    using agent = await joinSocket(api.port, identity);
    for (const frame of frames) agent.send(frame);
    await eventually(() => expect(agent.frames.at(-1)).toMatchObject({ type: 'ack', events: 1 }));
    heard = agent.frames;
  }
  expect(heard).toContainEqual({ v, type: 'received', commandIds: [sound] });
  const [serverId, reading] = api.observed.players.at(-1) ?? [];
  expect({ serverId, ...reading }).toMatchObject({
    serverId: identity.serverId,
    detail: sound,
    players: [{ name: sound, handle: sound }],
  });
  expect(api.observed.events.at(-1)).toMatchObject({ serverId: identity.serverId, text: sound });
});

// Guarantee: every heartbeat is acknowledged by its number, also a repeated one, and the last one counts.
test('repeated heartbeats', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  for (const [number, name] of [
    [0, 'Ann'],
    [0, 'Ben'],
    [7, 'Cat'],
    [3, 'Dan'],
  ] as const) {
    agent.send(beat(number, { players: [player(name)] }));
    expect((await agent.next('ack')).heartbeat).toBe(number);
    expect(api.observed.players.at(-1)?.[1].players?.[0]?.name).toBe(name);
  }
  const again = { frames: [beat(5), beat(5)] };
  for (const _ of [1, 2])
    expect(framesOf(await poll(api.port, identity, again)).slice(1)).toMatchObject([
      { type: 'ack', heartbeat: 5 },
      { type: 'ack', heartbeat: 5 },
    ]);
});

// Guarantee: every platform on the page is accepted, and so is one that is not on it.
test('platform ids', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  const ids = ['steam:1', 'eos:0002a', 'xbl:2535', 'psn:1', 'egs:0002b', 'minecraft:5627dd98', 'new:1', null];
  agent.send(beat(0, { players: ids.map((id, index) => player(`P${index}`, id)) }));
  await agent.next('ack');
  expect(api.observed.players.at(-1)?.[1].players?.map(({ platformId }) => platformId)).toEqual(ids);
});

// Guarantee: null is accepted only where the page names it, and an optional member must not be null; null is not a frame either.
test.each([
  ['players', beat(0, { players: null })],
  ['detail left out', { v, type: 'heartbeat', number: 0, state: 'online' }],
  ['the handle of a player', beat(0, { players: [{ ...player('Ann'), handle: null }] })],
  ['a command journal', { v, type: 'command-journal', journal: null }],
  ['a result', { v, type: 'result', commandId: 'c', result: null }],
  ['the frame', null],
])('null: %s', async (_what, frame) => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  agent.socket.send(JSON.stringify(frame));
  expect((await agent.next('refused')).code).toBe('AGENT_FRAME_INVALID');
  expect((await agent.closed).code).toBe(agentCloseCodes.badFrame);
  const polled = await poll(api.port, identity, { frames: [frame as AgentFrame] });
  expect(polled).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } });
});

// Guarantee: something that is not an object is not treated as a hello of another version.
test.each(['null', '1', '"hello"', '{'])('instead of a hello: %s', async (text) => {
  using stranger = await connectSocket(api.port);
  stranger.socket.send(text);
  expect((await stranger.next('refused')).code).toBe('AGENT_FRAME_INVALID');
  expect((await stranger.closed).code).toBe(agentCloseCodes.badFrame);
});

// Guarantee: a frame that is too large, a text that is not UTF-8, and a connection that is cut each have their code.
test('close codes of the transport', async () => {
  const identity = await newIdentity();
  using large = await joinSocket(api.port, identity);
  large.socket.send(' '.repeat(largestAgentFrame + 1));
  expect((await large.closed).code).toBe(1009);
  using whole = await joinSocket(api.port, identity);
  const frame = JSON.stringify(beat(0));
  whole.socket.send(frame + ' '.repeat(largestAgentFrame - frame.length));
  await whole.next('ack');
  whole.socket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false });
  expect((await whole.closed).code).toBe(1007);
  using unknown = await connectSocket(api.port);
  unknown.socket.send(' '.repeat(9000), { fin: false });
  expect((await unknown.closed).code).toBe(1006);
});
