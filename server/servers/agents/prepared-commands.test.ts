import { expect, test } from 'vitest';
import { gatewayForThisFile } from './testing/gateway-of-a-test.ts';
import { answered, joinSocket } from './testing/scripted-agent.ts';
import { startTestGateway } from './testing/test-gateway.ts';

const v = 1 as const;
const { api, database, servers, newIdentity } = await gatewayForThisFile({ timing: { grace: 100 } });

const sending = (serverId: string, id: string) => ({
  id,
  serverId,
  command: 'give Zed stone 1',
  timeoutMs: 20_000,
  expiresInMs: 20_000,
});

// Guarantee: a command that was written in another transaction goes out once that has committed, and only then.
test('a command of a transaction', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  const undone = database.db.transaction().execute(async (trx) => {
    await api.gateway.prepareCommands(trx, [sending('s1', 'undone')]);
    throw new Error('the order is refused');
  });
  await expect(undone).rejects.toThrow('the order is refused');
  expect(await api.gateway.resultOf('s1', 'undone')).toBeNull();
  const [prepared] = await database.db
    .transaction()
    .execute((trx) => api.gateway.prepareCommands(trx, [sending('s1', 'kept')]));
  const running = prepared?.run();
  expect(await agent.next('command')).toMatchObject({ id: 'kept', command: 'give Zed stone 1' });
  agent.send({ v, type: 'result', commandId: 'kept', result: answered('Gave 1') });
  expect(await running).toMatchObject({ outcome: 'answered', reply: 'Gave 1' });
  expect(await api.gateway.resultOf('s1', 'kept')).toMatchObject({ reply: 'Gave 1' });
  expect(agent.frames.filter(({ type }) => type === 'command')).toHaveLength(1);
});

// Guarantee: the next process finds what was written before a kill, and has it carried out once; asking for a missing
// command creates none.
test('a command of a killed process', async () => {
  const identity = await newIdentity();
  await database.db.transaction().execute((trx) => api.gateway.prepareCommands(trx, [sending('s2', 'left')]));
  await using next = await startTestGateway({ database, servers, timing: { grace: 100 } });
  using agent = await joinSocket(next.port, identity);
  const asked = next.gateway.resultOf('s2', 'left');
  expect(await agent.next('command')).toMatchObject({ id: 'left' });
  agent.send({ v, type: 'result', commandId: 'left', result: answered('Gave 1') });
  expect(await asked).toMatchObject({ reply: 'Gave 1' });
  expect(await next.gateway.resultOf('s2', 'missing')).toBeNull();
  expect(agent.frames.filter(({ type }) => type === 'command')).toHaveLength(1);
});
