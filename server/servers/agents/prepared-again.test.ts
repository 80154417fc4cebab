import { expect, test } from 'vitest';
import { migratedDatabase } from '../../kernel/testing/feature-api.ts';
import { agentIdentity, answered, joinSocket } from './testing/scripted-agent.ts';
import { startTestGateway, testServers } from './testing/test-gateway.ts';

// Guarantee: repeating the preparation, as after the database was lost behind the first one, loses no agent that has
// connected in between.
test('prepared again', async () => {
  await using database = await migratedDatabase();
  const servers = await testServers(database);
  await using api = await startTestGateway({ database, servers });
  await servers.add('s');
  using agent = await joinSocket(api.port, agentIdentity('s'));
  expect(api.gateway.isPresent('s')).toBe(true);
  await api.gateway.prepare();
  expect(api.gateway.isPresent('s')).toBe(true);
  const running = api.gateway.run('s', 'list', { timeoutMs: 20_000, expiresInMs: 20_000 });
  const { id } = await agent.next('command');
  agent.send({ v: 1, type: 'result', commandId: id, result: answered('there') });
  expect(await running).toEqual(answered('there'));
});
