import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import {
  agentCloseCodes,
  agentProtocolVersion,
  largestAgentFrame,
} from '#contracts/servers/agent-protocol.ts';
import { agentEndpoints } from '#contracts/servers/agents.ts';
import { eventually } from '#harness/eventually.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { gatewayForThisFile } from './testing/gateway-of-a-test.ts';
import {
  type AgentIdentity,
  agentIdentity,
  askNonce,
  connectSocket,
  framesOf,
  greetSocket,
  helloOf,
  joinSocket,
  poll,
  post,
} from './testing/scripted-agent.ts';
import { startTestGateway, testAgentSecret } from './testing/test-gateway.ts';

const { api, database, servers, newServer } = await gatewayForThisFile();

/** The address of a separate network, as a proxy names it, over TLS. */
const from = (address: string, proto = 'https') => ({
  headers: { 'X-Forwarded-For': address, 'X-Forwarded-Proto': proto },
});

/** Why it is not let in, over either link. */
const refusalOf = async (identity: AgentIdentity, options = {}): Promise<[string, string]> => {
  using agent = await greetSocket(api.port, identity, options);
  const { code } = await agent.next('refused');
  expect((await agent.closed).code).toBe(agentCloseCodes.refused);
  const polled = await poll(api.port, identity, options);
  return [code, String(polled.json.code)];
};
const same = (code: string) => [code, code];

// Guarantee: an agent that knows the secret is admitted over either link, and is shown that the API knows it too.
test('an agent is let in', async () => {
  const identity = agentIdentity(await newServer());
  using agent = await joinSocket(api.port, identity);
  expect(api.gateway.reading(identity.serverId)).toMatchObject({
    mode: 'websocket',
    stale: false,
    version: 'scripted',
    keyFingerprint: identity.agentKey.slice(0, 12),
  });
  agent.socket.terminate();
  expect(framesOf(await poll(api.port, identity))[0]).toMatchObject({
    type: 'welcome',
    heartbeatSeconds: 60,
    staleSeconds: 180,
  });
  expect(api.gateway.reading(identity.serverId)).toMatchObject({ mode: 'polling' });
  const told = api.told.filter(({ serverId }) => serverId === identity.serverId).map(({ kind }) => kind);
  expect(told).toEqual(['agent.pinned', 'agent.connected']);
});

// Guarantee: without the secret no one learns whether a server exists; wrong proofs are counted per network, a right
// one from there is still accepted, and the secret is in no log.
test('wrong secrets', async () => {
  const identity = agentIdentity(await newServer());
  const wrong = { ...identity, secret: `${testAgentSecret}-of-another` };
  const nowhere = { ...agentIdentity('no-such-server'), secret: wrong.secret };
  const answers: string[] = [];
  for (let round = 0; round < 20 && !answers.includes('AGENT_THROTTLED'); round += 1)
    for (const one of [wrong, nowhere]) answers.push(...(await refusalOf(one, from('203.0.113.1'))));
  expect(answers.slice(0, 10)).toEqual(Array(10).fill('AGENT_PROOF_WRONG'));
  expect(answers).toContain('AGENT_THROTTLED');
  const throttled = await eventually(async () => {
    const answer = await poll(api.port, wrong, from('203.0.113.1'));
    expect(answer.status).toBe(429);
    return answer;
  });
  expect(Number(throttled.headers['retry-after'])).toBeGreaterThan(0);
  expect((await poll(api.port, identity, from('203.0.113.1'))).status).toBe(200);
  // The next network has its own budget.
  expect(await refusalOf(wrong, from('203.0.113.2'))).toEqual(same('AGENT_PROOF_WRONG'));
  // Someone puts the secret where the server's id belongs.
  await refusalOf({ ...wrong, serverId: testAgentSecret }, from('203.0.113.3'));
  expect(api.log()).not.toContain(testAgentSecret);
  expect(api.log().match(/203\.0\.113\.1"/g)).toHaveLength(1);
  expect(JSON.stringify(api.told)).not.toContain(testAgentSecret);
});

// Guarantee: free texts that a proxy passes on as addresses share one budget, instead of getting a new one each.
test('wrong secrets behind made-up addresses', async () => {
  const wrong = { ...agentIdentity(await newServer()), secret: `${testAgentSecret}-of-another` };
  const answers: string[] = [];
  for (let round = 0; round < 20; round += 1)
    answers.push(...(await refusalOf(wrong, from(`203.0.113.9:${40_000 + round}`))));
  expect(answers).toContain('AGENT_THROTTLED');
});

// Guarantee: with the secret, each other reason has its own code, and is shown to the operator.
test('other refusals', async () => {
  const serverId = await newServer();
  const identity = agentIdentity(serverId);
  expect(await refusalOf(agentIdentity('no-such-server'))).toEqual(same('AGENT_SERVER_UNKNOWN'));
  expect(await refusalOf(identity, { changes: { game: 'ark-se' } })).toEqual(same('AGENT_GAME_MISMATCH'));
  const signature = Buffer.alloc(64).toString('base64url');
  expect(await refusalOf(identity, { changes: { signature } })).toEqual(same('AGENT_PROOF_WRONG'));
  expect(api.gateway.reading(serverId)).toMatchObject({
    keyFingerprint: null,
    lastRefusal: { code: 'AGENT_PROOF_WRONG' },
  });
  using agent = await joinSocket(api.port, identity);
  expect(await refusalOf(agentIdentity(serverId))).toEqual(same('AGENT_KEY_MISMATCH'));
  agent.heartbeat(1);
  await agent.next('ack');
});

// Guarantee: an agent cannot pose as another server's agent, because it does not have its key.
test('posing', async () => {
  const [one, other] = [agentIdentity(await newServer()), agentIdentity(await newServer())];
  using a = await joinSocket(api.port, one);
  using b = await joinSocket(api.port, other);
  expect(await refusalOf({ ...one, serverId: other.serverId })).toEqual(same('AGENT_KEY_MISMATCH'));
  for (const agent of [a, b]) {
    agent.heartbeat(1);
    await agent.next('ack');
  }
});

// Guarantee: what was heard on the wire is worth nothing a second time, over either link and after a restart.
test('replays', async () => {
  const identity = agentIdentity(await newServer());
  const nonce = await askNonce(api.port);
  expect((await poll(api.port, identity, { nonce })).status).toBe(200);
  const hello = helloOf(identity, nonce);
  const again = await post(api.port, agentEndpoints.poll.path, { v: 1, hello, frames: [], hold: false });
  expect(again).toMatchObject({ status: 401, json: { code: 'AGENT_NONCE_INVALID' } });

  using first = await connectSocket(api.port);
  const heard = helloOf(identity, (await first.next('challenge')).nonce);
  first.send(heard);
  await first.next('welcome');
  using second = await connectSocket(api.port);
  second.send(heard);
  expect((await second.next('refused')).code).toBe('AGENT_NONCE_INVALID');
  const inPoll = await post(api.port, agentEndpoints.poll.path, {
    v: 1,
    hello: heard,
    frames: [],
    hold: false,
  });
  expect(inPoll.json.code).toBe('AGENT_NONCE_INVALID');

  const unused = await askNonce(api.port);
  await using restarted = await startTestGateway({ database, servers });
  expect((await poll(restarted.port, identity, { nonce: unused })).json.code).toBe('AGENT_NONCE_INVALID');
  expect((await poll(restarted.port, identity, { nonce: '' })).json.code).toBe('AGENT_NONCE_INVALID');
});

// Guarantee: of any number of first agents exactly one is pinned; only that one is admitted later.
test('a race of first agents', async () => {
  const serverId = await newServer();
  const identities = Array.from({ length: 20 }, () => agentIdentity(serverId));
  const agents = await Promise.all(identities.map((identity) => greetSocket(api.port, identity)));
  await eventually(() => {
    for (const { frames } of agents) expect(frames.length).toBeGreaterThan(1);
  });
  const outcomes = agents.map(({ frames }) => frames[1]);
  expect(outcomes.filter((frame) => frame?.type === 'welcome')).toHaveLength(1);
  const others = outcomes.filter((frame) => frame?.type === 'refused');
  expect(new Set(others.map((frame) => frame?.type === 'refused' && frame.code))).toEqual(
    new Set(['AGENT_KEY_MISMATCH']),
  );
  const winner = identities[outcomes.findIndex((frame) => frame?.type === 'welcome')];
  for (const agent of agents) agent.socket.terminate();
  for (const identity of identities)
    expect((await poll(api.port, identity)).status).toBe(identity === winner ? 200 : 409);
});

// Guarantee: after "replace agent" another key is admitted; the old one is sent away and cannot win the race back.
test('replacing', async () => {
  const serverId = await newServer();
  const [old, fresh] = [agentIdentity(serverId), agentIdentity(serverId)];
  using agent = await joinSocket(api.port, old);
  const by = { actor: testOwner, address: '127.0.0.1' };
  expect(await api.gateway.replace(serverId, by)).toMatchObject({ keyFingerprint: null, mode: null });
  expect(await agent.next('refused')).toMatchObject({ code: 'AGENT_KEY_MISMATCH', retryAfterSeconds: 120 });
  expect(await refusalOf(old)).toEqual(same('AGENT_KEY_MISMATCH'));
  using _joined = await joinSocket(api.port, fresh);
  expect(await refusalOf(old)).toEqual(same('AGENT_KEY_MISMATCH'));
  const { rows } = await database.pool.query('select action, before from audit_logs where target = $1', [
    `server:${serverId}`,
  ]);
  expect(rows).toMatchObject([
    { action: 'agents.replace', before: { fingerprint: old.agentKey.slice(0, 12) } },
  ]);
  expect(await api.gateway.replace('no-such-server', by)).toEqual({ refused: 'NOT_FOUND' });
});

// Guarantee: an agent that was replaced by mistake is admitted again after a while.
test('replacing by mistake', async () => {
  await using hasty = await startTestGateway({ database, servers, timing: { replacedRest: 500 } });
  const identity = agentIdentity(await newServer());
  expect((await poll(hasty.port, identity)).status).toBe(200);
  await hasty.gateway.replace(identity.serverId, { actor: testOwner, address: '' });
  await eventually(async () => expect((await poll(hasty.port, identity)).status).toBe(200));
});

// Guarantee: remote agents use TLS, to us or to a proxy that we trust, unless the operator allows otherwise.
test('plain agents', async () => {
  const identity = agentIdentity(await newServer());
  const plain = { headers: { 'X-Forwarded-For': '198.51.100.7' } };
  using agent = await greetSocket(api.port, identity, plain);
  expect((await agent.next('refused')).code).toBe('AGENT_TLS_REQUIRED');
  const challenge = await post(api.port, agentEndpoints.challenge.path, { v: 1 }, plain);
  expect(challenge).toMatchObject({ status: 403, json: { code: 'AGENT_TLS_REQUIRED' } });
  const nonce = await askNonce(api.port);
  expect((await poll(api.port, identity, { ...plain, nonce })).json.code).toBe('AGENT_TLS_REQUIRED');
  const stillPlain = { ...from('198.51.100.7', 'http'), nonce: await askNonce(api.port) };
  expect((await poll(api.port, identity, stillPlain)).status).toBe(403);

  using encrypted = await joinSocket(api.port, identity, from('198.51.100.7'));
  expect(api.gateway.reading(identity.serverId)).toMatchObject({ encrypted: true, address: '198.51.100.7' });
  encrypted.socket.terminate();
  await using lenient = await startTestGateway({ database, servers, allowPlain: () => true });
  using _plain = await joinSocket(lenient.port, identity, plain);
  expect(lenient.gateway.reading(identity.serverId)).toMatchObject({ encrypted: false });
});

// Guarantee: an agent of another version is told so before anything else is checked.
test('another version', async () => {
  using agent = await connectSocket(api.port);
  agent.socket.send('{"v":2,"type":"salute"}');
  expect((await agent.next('refused')).code).toBe('AGENT_VERSION_UNSUPPORTED');
  for (const { path } of Object.values(agentEndpoints)) {
    const answer = await post(api.port, path, { v: 2, anything: true });
    expect(answer).toMatchObject({ status: 400, json: { code: 'AGENT_VERSION_UNSUPPORTED' } });
    expect((await post(api.port, path, { v: agentProtocolVersion, more: 1 })).json.code).toBe(
      'INVALID_REQUEST',
    );
  }
});

// Guarantee: nothing depends on the agent's clock; its error is shown.
test('a wrong clock', async () => {
  const identity = agentIdentity(await newServer());
  using agent = await joinSocket(api.port, identity, { changes: { clock: '2001-01-01T00:00:00Z' } });
  agent.heartbeat(1);
  await agent.next('ack');
  expect(api.gateway.reading(identity.serverId)?.clockSkewSeconds).toBeLessThan(-700_000_000);
});

// Guarantee: too much data, or data that is not a frame of the protocol, ends the connection, before a hello sooner.
test.each([
  ['no JSON', agentCloseCodes.badFrame, '{'],
  ['a frame of no shape', agentCloseCodes.badFrame, '{"v":1,"type":"heartbeat","number":-1}'],
  ['bytes', agentCloseCodes.badFrame, Buffer.from('{}')],
  ['a second hello', agentCloseCodes.badFrame, JSON.stringify(helloOf(agentIdentity('x'), 'x'))],
  ['a frame too large', 1009, ' '.repeat(largestAgentFrame + 1)],
])('%s', async (_what, code, data) => {
  const identity = agentIdentity(await newServer());
  using agent = await joinSocket(api.port, identity);
  agent.socket.send(data);
  expect((await agent.closed).code).toBe(code);
  using stranger = await connectSocket(api.port);
  stranger.socket.send(data);
  expect([code, 1006, agentCloseCodes.badFrame, agentCloseCodes.refused]).toContain(
    (await stranger.closed).code,
  );
});

// Guarantee: an agent that floods is cut off.
test('a flood', async () => {
  using agent = await joinSocket(api.port, agentIdentity(await newServer()));
  // More than twice as many as may come in one window: the next window may begin halfway through them.
  for (let number = 0; number < 2100; number += 1) agent.heartbeat(number);
  expect((await agent.closed).code).toBe(agentCloseCodes.tooMany);
});

// Guarantee: connections that say nothing, or that trickle, are ended; agents get in next to any number of them.
test('strangers that linger', async () => {
  await using patient = await startTestGateway({
    database,
    servers,
    handshakeLimits: { all: 100, perBlock: 50 },
  });
  await using lingering = new AsyncDisposableStack();
  const strangers = await Promise.all(Array.from({ length: 60 }, () => connectSocket(patient.port)));
  for (const stranger of strangers) lingering.use(stranger);
  // Those beyond the limit have made room, the oldest first.
  expect((await Promise.all(strangers.slice(0, 10).map(({ closed }) => closed))).length).toBe(10);
  using agent = await joinSocket(patient.port, agentIdentity(await newServer()));
  agent.heartbeat(1);
  await agent.next('ack');
  await using hasty = await startTestGateway({ database, servers, timing: { hello: 50 } });
  using silent = await connectSocket(hasty.port);
  expect((await silent.closed).code).toBe(agentCloseCodes.timedOut);
});

const otherAddress = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

// Guarantee: agents that were admitted do not count against their router's address, however many share it; strangers from
// there do.
test.skipIf(!otherAddress)('agents behind one router', async () => {
  const limits = { inAll: 100, perAddress: 3 };
  await using narrow = await startTestGateway({ database, servers, limits, allowPlain: () => true });
  await using behind = new AsyncDisposableStack();
  const router = otherAddress ? { localAddress: otherAddress } : {};
  for (let each = 0; each < 8; each += 1)
    behind.use(await joinSocket(narrow.port, agentIdentity(await newServer()), router));
  const polling: Promise<{ readonly status: number }>[] = [];
  for (let each = 0; each < 5; each += 1) {
    const identity = agentIdentity(await newServer());
    const nonce = await askNonce(narrow.port, router);
    polling.push(poll(narrow.port, identity, { ...router, nonce, hold: true }));
    await eventually(() =>
      expect(narrow.gateway.reading(identity.serverId)).toMatchObject({ mode: 'polling' }),
    );
  }
  for (let each = 0; each < 3; each += 1) behind.use(await connectSocket(narrow.port, router));
  await expect(connectSocket(narrow.port, router)).rejects.toThrow();
  await narrow.gateway[Symbol.asyncDispose]();
  await Promise.allSettled(polling);
});
