import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentProtocolVersion } from '#contracts/servers/agent-protocol.ts';
import type { AgentRenewal } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { type MigratedDatabase, migratedDatabase } from '../../kernel/testing/feature-api.ts';
import { machineThatAllows } from '../power/testing/power-agent.ts';
import { type AgentIdentity, agentIdentity, joinSocket } from './testing/scripted-agent.ts';
import { startTestGateway, type TestGateway, type TestServers, testServers } from './testing/test-gateway.ts';

const v = agentProtocolVersion;
const offered = '1.5.0';

let database: MigratedDatabase;
let servers: TestServers;
beforeAll(async () => {
  database = await migratedDatabase();
  servers = await testServers(database);
});
afterAll(() => database[Symbol.asyncDispose]());

const start = () =>
  startTestGateway({
    database,
    servers,
    offerRelease: (agentVersion) =>
      agentVersion === '1.4.0' ? { version: offered, frame: { v, type: 'release', release: 'AAAA' } } : null,
  });
const join = async (api: TestGateway, identity: AgentIdentity, agentVersion = '1.4.0') =>
  joinSocket(api.port, identity, { changes: { agentVersion } });
const tell = (agent: Awaited<ReturnType<typeof join>>, identity: AgentIdentity, renewal?: unknown) => {
  const machine = { ...machineThatAllows, ...(renewal === undefined ? {} : { renewal }) };
  // Also something that no agent of ours says.
  agent.socket.send(JSON.stringify({ v, type: 'machine', taskJournal: identity.journal, machine }));
};
const failed: AgentRenewal = {
  step: 'went-back',
  version: offered,
  detail: 'it ended by itself (3)',
  againInMs: 3_600_000,
};

// Guarantee: an agent's report about its update is shown with the version on offer, stays known while the agent is away
// and after a restart of the API, and is over when the agent comes with that version.
test('an update, told and over', async () => {
  await servers.add('updated');
  const identity = agentIdentity('updated');
  {
    await using api = await start();
    const reading = () => api.gateway.reading('updated');
    using agent = await join(api, identity);
    await agent.next('release');
    expect(reading()).toMatchObject({ version: '1.4.0', offeredVersion: offered, renewal: null });
    tell(agent, identity, { ...failed, step: 'trying', detail: null, againInMs: null });
    await eventually(() => expect(reading()?.renewal).toMatchObject({ step: 'trying', version: offered }));
    tell(agent, identity, failed);
    await eventually(() =>
      expect(reading()?.renewal).toMatchObject({ step: 'went-back', detail: 'it ended by itself (3)' }),
    );
    const { at = '', againAt = '' } = reading()?.renewal ?? {};
    expect(Date.parse(againAt ?? '') - Date.parse(at)).toBe(3_600_000);
  }
  await using api = await start();
  const reading = () => api.gateway.reading('updated');
  expect(reading()?.renewal).toMatchObject({ step: 'went-back' });
  using agent = await join(api, identity, offered);
  await eventually(() => expect(reading()).toMatchObject({ version: offered, mode: 'websocket' }));
  expect(reading()).toMatchObject({ offeredVersion: null, renewal: null });
  tell(agent, identity);
  await eventually(() => expect(api.tasks.machineOf('updated').takesTasks).toBe(true));
  expect(reading()).toMatchObject({ offeredVersion: null, renewal: null });
});

// Guarantee: an agent that says nothing about updates, or something that this API does not know, still gets its tasks.
test.each([
  ['says nothing', undefined],
  ['tells a step of a later version', { ...failed, step: 'rebuilding' }],
  ['tells something else', 'no object'],
  ['tells too much', { ...failed, detail: 'x'.repeat(100_000) }],
])('an agent that %s', async (name, renewal) => {
  const serverId = name.replaceAll(' ', '-');
  await servers.add(serverId);
  const identity = agentIdentity(serverId);
  await using api = await start();
  using agent = await join(api, identity);
  tell(agent, identity, renewal);
  await eventually(() => expect(api.tasks.machineOf(serverId).takesTasks).toBe(true));
  expect(api.gateway.reading(serverId)).toMatchObject({ offeredVersion: offered, renewal: null });
});
