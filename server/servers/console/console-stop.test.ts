import { expect, test } from 'vitest';
import { consoleHttp } from '#contracts/servers/console.ts';
import { eventually } from '#harness/eventually.ts';
import { startMinecraft } from '../../../tests/simulators/minecraft-simulator.ts';
import { apiDatabase } from '../../kernel/testing/api-database.ts';
import { call, newServer } from '../../kernel/testing/call.ts';
import { startTestApi, testAgentSecret, testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import { agentIdentity, joinSocket } from '../agents/testing/scripted-agent.ts';

// Guarantee: a caller that waits for a game while the API stops is told the command's outcome, and not cut off.
test('a stop while a command runs', async () => {
  await using database = await apiDatabase();
  await using game = await startMinecraft();
  await using api = await startTestApi({ databaseUrl: database.url, workers: [] });
  await whenInUse(api);
  const { port, password } = game;
  const serverId = await newServer(api.port, { host: '127.0.0.1', port, password });
  game.quirks.fateOf = (command) => (command.startsWith('say') ? 'silence' : 'answer');
  const answer = call(api.port, consoleHttp.run, {
    as: testDesktopCredential,
    body: { serverIds: [serverId], command: 'say hello', timeoutMs: 60_000 },
  });
  await eventually(() => expect(game.world.received).toContain('say hello'));
  await Promise.all([api[Symbol.asyncDispose](), answer]);
  expect((await answer).json.entries).toMatchObject([{ outcome: 'unknown' }]);
});

// Guarantee: the same holds for a caller that waits for a game that is reached through its agent.
test('a stop while an agent has a command', async () => {
  await using database = await apiDatabase();
  await using api = await startTestApi({ databaseUrl: database.url, workers: [] });
  await whenInUse(api);
  const serverId = await newServer(api.port);
  using agent = await joinSocket(api.port, agentIdentity(serverId, testAgentSecret));
  const answer = call(api.port, consoleHttp.run, {
    as: testDesktopCredential,
    body: { serverIds: [serverId], command: 'say hello', timeoutMs: 60_000 },
  });
  await agent.next('command');
  await Promise.all([api[Symbol.asyncDispose](), answer]);
  expect((await answer).json.entries).toMatchObject([{ outcome: 'unknown', via: 'agent' }]);
});
