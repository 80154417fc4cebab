import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentRefusal } from '#contracts/servers/agent-connection.ts';
import { agentCloseCodes } from '#contracts/servers/agent-protocol.ts';
import { eventually } from '#harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { wakeByHand } from '#harness/woken.ts';
import { Secret } from '#runtime/secret.ts';
import { startMinecraft } from '../../tests/simulators/minecraft-simulator.ts';
import type { Simulator } from '../../tests/simulators/simulator.ts';
import { startApiPeer } from '../testing/api-peer.ts';
import { startTestAgent, type TestAgentOptions } from '../testing/test-agent.ts';
import { startWebSocketKiller } from '../testing/websocket-killer.ts';

let folder: TemporaryFolder;
let game: Simulator;
let count = 0;
beforeAll(async () => {
  folder = await temporaryFolder('connector');
  game = await startMinecraft();
  game.world.join('Steve');
});
afterAll(async () => {
  await game[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const startAgent = (
  apiUrl: URL,
  config = {},
  timing: TestAgentOptions['timing'] = {},
  wakes?: TestAgentOptions['wakes'],
) => {
  count += 1;
  const console = { host: '127.0.0.1', port: game.port, password: new Secret(game.password) };
  const stateFolder = `${folder.path}/state-${count}`;
  return startTestAgent({ config: { apiUrl, console, stateFolder, ...config }, timing, wakes });
};

// Guarantee: three WebSockets in a row that are refused, dropped or cut lead to polling, commands arrive there immediately, and
// polling continues until a WebSocket gets through; the agent then returns to it and the command runs once.
test.each(['refuse', 'drop', 'cut'] as const)('WebSockets that fail: %s', async (mode) => {
  await using peer = await startApiPeer({ holdMs: 30_000 });
  await using killer = await startWebSocketKiller(peer.port);
  killer.mode = mode;
  await using _agent = await startAgent(killer.url);
  await eventually(() => expect(peer.held).toBe(1));
  expect(peer.hellos.filter((hello) => hello.mode === 'polling').length).toBeGreaterThan(0);
  const given = game.world.given.length;
  peer.command(`${mode}-1`, 'give Steve minecraft:iron_ingot 2');
  await eventually(() => expect(peer.results.get(`${mode}-1`)).toMatchObject([{ outcome: 'answered' }]));
  expect(game.world.given.length).toBe(given + 1);

  const upgrades = killer.upgrades;
  expect(upgrades).toBeGreaterThanOrEqual(3);
  await eventually(() => expect(killer.upgrades).toBeGreaterThan(upgrades));
  expect(peer.heard.some((heard) => heard.mode === 'websocket')).toBe(false);
  killer.mode = 'pass';
  await eventually(() => expect(peer.sockets.size).toBe(1));
  await eventually(() => expect(peer.held).toBe(0));
  peer.command(`${mode}-2`, 'give Steve minecraft:iron_ingot 3');
  await eventually(() => expect(peer.results.get(`${mode}-2`)).toMatchObject([{ outcome: 'answered' }]));
  expect(game.world.given.length).toBe(given + 2);

  killer.mode = mode;
  killer.cut();
  await eventually(() => expect(peer.held).toBe(1));
  expect(peer.faults).toEqual([]);
});

// Guarantee: an API that itself refuses every upgrade is polled too; with useWebSocket false there is no upgrade at all.
test('polling only', async () => {
  await using peer = await startApiPeer({ upgrades: 'refuse' });
  await using _refused = await startAgent(peer.url);
  await eventually(() => expect(peer.held).toBe(1));
  await using quiet = await startApiPeer({ holdMs: 200 });
  await using _polling = await startAgent(quiet.url, { useWebSocket: false });
  await eventually(() => expect(quiet.asked.polls).toBeGreaterThan(8));
  quiet.command('one', 'list');
  await eventually(() => expect(quiet.results.get('one')).toMatchObject([{ outcome: 'answered' }]));
  expect(quiet.asked.upgrades).toBe(0);
  expect([...peer.faults, ...quiet.faults]).toEqual([]);
});

// Guarantee: an API that cannot prove that it knows the secret is not obeyed, in either mode.
test.each([true, false])('an unproven API, WebSocket: %s', async (useWebSocket) => {
  await using peer = await startApiPeer({ ownSecret: 'a-guess-of-some-impostor', holdMs: 50 });
  const agent = await startAgent(peer.url, { useWebSocket }, { slowMs: () => 50 });
  await using _agent = agent;
  const commands = game.world.received.length;
  peer.command('evil', 'stop');
  await eventually(() => expect(peer.hellos.length).toBeGreaterThan(4));
  expect(peer.heard).toEqual([]);
  expect(game.world.received.slice(commands)).not.toContain('stop');
  expect(agent.logged.join('')).toContain('does not know the secret');
  if (useWebSocket) expect(peer.asked.polls).toBe(0);
});

// Guarantee: a license 403 is not a failure: the agent waits long, reports it once, and never changes to polling.
test('a license problem', async () => {
  await using peer = await startApiPeer({ problem: { status: 403, code: 'LICENSE_REQUIRED' } });
  const waits: number[][] = [];
  const slowMs = (...limits: number[]) => {
    waits.push(limits);
    return 10;
  };
  const agent = await startAgent(peer.url, {}, { slowMs });
  await using _agent = agent;
  await eventually(() => expect(peer.asked.upgrades).toBeGreaterThan(6));
  expect(peer.asked.challenges).toBe(0);
  expect(new Set(waits.map(String))).toEqual(new Set(['30000,90000']));
  expect(agent.logged.filter((line) => line.includes('license')).length).toBe(1);
  peer.behaviour.problem = null;
  // Logged with the first acknowledgement; until then messages are not repeated.
  await eventually(() => expect(agent.logged.join('')).toContain('connected to the API'));
  peer.closeSockets(agentCloseCodes.licenseRejected);
  await eventually(() => expect(agent.logged.filter((line) => line.includes('license')).length).toBe(2));
  expect(peer.asked.challenges).toBe(0);
});

// Guarantee: a refused login is not a failure: the agent waits as long as that kind of refusal requires, and says what to do.
test.each<[AgentRefusal, number]>([
  ['AGENT_SUPERSEDED', 300_000],
  ['AGENT_KEY_MISMATCH', 60_000],
  ['AGENT_PROOF_WRONG', 60_000],
])('refused: %s', async (code, leastMs) => {
  await using peer = await startApiPeer({ refuse: { code, retryAfterSeconds: null } });
  const waits: number[] = [];
  const slowMs = (least: number) => {
    waits.push(least);
    return 10;
  };
  const agent = await startAgent(peer.url, {}, { slowMs });
  await using _agent = agent;
  await eventually(() => expect(peer.asked.upgrades).toBeGreaterThan(5));
  expect(peer.asked.challenges).toBe(0);
  expect(new Set(waits)).toEqual(new Set([leastMs]));
  expect(agent.logged.filter((line) => line.includes(code)).length).toBe(1);
});

// Guarantee: the agent leaves an API that disappears without a word or falls silent, and reconnects without help.
test('reconnecting', async () => {
  await using peer = await startApiPeer({ staleSeconds: 1 });
  await using _agent = await startAgent(peer.url);
  await eventually(() => expect(peer.sockets.size).toBe(1));
  for (const code of [agentCloseCodes.goingAway, agentCloseCodes.tooSlow]) {
    const logins = peer.hellos.length;
    peer.closeSockets(code);
    await eventually(() => expect(peer.hellos.length).toBeGreaterThan(logins));
  }
  await eventually(() => expect(peer.sockets.size).toBe(1));
  const logins = peer.hellos.length;
  peer.behaviour.acknowledges = false;
  await eventually(() => expect(peer.hellos.length).toBeGreaterThan(logins));
  peer.behaviour.acknowledges = true;
  await peer.goAway();
  await peer.comeBack();
  await eventually(() => expect(peer.sockets.size).toBe(1));
});

// Guarantee: an API that was unreachable in both ways is not polled for long: WebSockets are tried as soon as it is back.
test('an outage is no fault of WebSockets', async () => {
  await using peer = await startApiPeer();
  let tries = 0;
  const reconnectMs = () => {
    tries += 1;
    return 20;
  };
  const agent = await startAgent(peer.url, {}, { websocketRetryMs: () => 3_600_000, reconnectMs });
  await using _agent = agent;
  await eventually(() => expect(peer.sockets.size).toBe(1));
  const upgrades = peer.asked.upgrades;
  await peer.goAway();
  await eventually(() => expect(agent.logged.join('')).toContain('polling until they work'));
  const before = tries;
  await eventually(() => expect(tries).toBeGreaterThan(before + 1));
  await peer.comeBack();
  await eventually(() => expect(peer.sockets.size).toBe(1));
  expect(peer.asked.upgrades).toBe(upgrades + 1);
});

// Guarantee: what the API did not acknowledge is sent again on the next connection, and polling continues with a restarted API,
// whose nonces are new.
test('results survive connections', async () => {
  await using peer = await startApiPeer({ receives: false, holdMs: 100 });
  await using _agent = await startAgent(peer.url);
  peer.command('kept', 'list');
  await eventually(() => expect(peer.results.get('kept')?.length).toBe(1));
  peer.closeSockets(1001);
  await eventually(() => expect(peer.results.get('kept')?.length).toBe(2));
  await using polled = await startApiPeer({ holdMs: 100 });
  await using _polling = await startAgent(polled.url, { useWebSocket: false });
  await eventually(() => expect(polled.asked.polls).toBeGreaterThan(3));
  await polled.goAway();
  await polled.comeBack();
  polled.command('after', 'list');
  await eventually(() => expect(polled.results.get('after')).toMatchObject([{ outcome: 'answered' }]));
  expect([...peer.faults, ...polled.faults]).toEqual([]);
});

// Guarantee: after a sleep the agent uses a fresh connection after the short random wait of a first try, without waiting for later
// tries; in either mode.
test.each([true, false])('the machine slept, WebSocket: %s', async (useWebSocket) => {
  const wakes = wakeByHand();
  await using peer = await startApiPeer({ holdMs: 600_000 });
  const waits: number[] = [];
  const reconnectMs = (tries: number) => {
    waits.push(tries);
    return tries === 1 ? 20 : 1e8;
  };
  const timing = { reconnectMs, websocketRetryMs: () => 1e8 };
  await using agent = await startAgent(peer.url, { useWebSocket }, timing, wakes);
  await eventually(() => expect(useWebSocket ? peer.sockets.size : peer.held).toBe(1));
  const connects = () => agent.logged.filter((line) => line.includes('connected to the API')).length;
  await eventually(() => expect(connects()).toBe(1));
  wakes.wake(60_000);
  await eventually(() => expect(connects()).toBe(2));
  expect(waits).toEqual([1]);
  await eventually(() => expect(useWebSocket ? peer.sockets.size : peer.held).toBe(1));
  peer.command('after', 'list');
  await eventually(() => expect(peer.results.get('after')).toMatchObject([{ outcome: 'answered' }]));
  expect(peer.faults).toEqual([]);
  expect(agent.logged.join('')).not.toContain('"level":"warn"');
});
