import { expect, test } from 'vitest';
import { reencrypt } from '#runtime/sealed/reencrypt.ts';
import { Secret } from '#runtime/secret.ts';
import { createSecrets } from '../../../kernel/secrets/secrets.ts';
import { migratedDatabase } from '../../../kernel/testing/feature-api.ts';
import { agentSecretColumn } from '../agent-proof.ts';
import { enrolledAs, enrolling, makeEnrolment, sendEnrolment } from '../testing/enrolling-agent.ts';
import { agentIdentity, joinSocket, poll } from '../testing/scripted-agent.ts';
import { startTestGateway, testEncryptionKey, testServers } from '../testing/test-gateway.ts';
import { enrolmentCodeColumn } from './enrolments.ts';

const oldKey = new Secret(testEncryptionKey);
const newKey = new Secret('a7'.repeat(32));

// Guarantee: under a new key that sealed both columns again, enrolled agents and open codes continue without the old
// one; with neither, an enrolled server lets no one in, not even by the shared secret.
test('the key is changed', async () => {
  await using database = await migratedDatabase();
  const servers = await testServers(database);
  for (const id of ['enrolled', 'open']) await servers.add(id);
  await using first = await startTestGateway({ database, servers });
  const codeFor = async (serverId: string) => {
    const { id, code } = await makeEnrolment(first, serverId);
    return enrolling(id, code);
  };
  const agent = await codeFor('enrolled');
  const identity = enrolledAs(agent, await sendEnrolment(first.port, agent.request));
  const waiting = await codeFor('open');

  const { box, keyIds } = createSecrets([newKey, oldKey]);
  const columns = [agentSecretColumn, enrolmentCodeColumn];
  const renewed: [string, number][] = [];
  const named = { oneOf: keyIds.slice(1) };
  for await (const { table, done } of reencrypt({ db: database.db, box, columns, named, batchRows: 1 }))
    renewed.push([table, done]);
  expect(renewed).toEqual([
    ['game_agents', 1],
    ['agent_enrolments', 1],
    ['agent_enrolments', 1],
  ]);

  await using second = await startTestGateway({ database, servers, secrets: createSecrets([newKey]) });
  using _socket = await joinSocket(second.port, identity);
  const late = await sendEnrolment(second.port, waiting.request);
  using _other = await joinSocket(second.port, enrolledAs(waiting, late));

  await using third = await startTestGateway({ database, servers, secrets: createSecrets([oldKey]) });
  for (const shown of [identity, agentIdentity('enrolled')])
    expect((await poll(third.port, shown)).json.code).toBe('AGENT_PROOF_WRONG');
});
