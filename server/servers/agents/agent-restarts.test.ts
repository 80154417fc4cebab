import { expect, test } from 'vitest';
import { agentCapabilities } from '#contracts/servers/agent-protocol.ts';
import { eventually } from '#harness/eventually.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { gatewayForThisFile } from './testing/gateway-of-a-test.ts';
import {
  agentIdentity,
  answered,
  framesOf,
  joinSocket,
  poll,
  type SocketAgent,
} from './testing/scripted-agent.ts';
import { startTestGateway } from './testing/test-gateway.ts';

const v = 1 as const;
const { api, database, servers, newIdentity } = await gatewayForThisFile({ timing: { grace: 100 } });

const patience = { timeoutMs: 20_000, expiresInMs: 20_000 };
const rowOf = async (id: string) =>
  (await database.pool.query('select * from agent_commands where id = $1', [id])).rows[0];
const result = (agent: SocketAgent, commandId: string, reply: string) =>
  agent.send({ v, type: 'result', commandId, result: answered(reply) });

// Guarantee: the commands of an agent that lost its memory, or was replaced, are `unknown` and never sent again.
test('an agent without memory', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  const lost = api.gateway.run(identity.serverId, 'give', { id: 'lost', ...patience });
  await agent.next('command');
  using forgetful = await joinSocket(api.port, { ...identity, journal: 'another' });
  forgetful.heartbeat(0);
  expect(await lost).toMatchObject({ outcome: 'unknown', sent: true });
  expect((await rowOf('lost')).result).toMatchObject({ outcome: 'unknown' });

  const second = api.gateway.run(identity.serverId, 'give', { id: 'replaced', ...patience });
  expect((await forgetful.next('command')).id).toBe('replaced');
  await api.gateway.replace(identity.serverId, { actor: testOwner, address: '' });
  expect(await second).toMatchObject({ outcome: 'unknown', sent: true });
  const waiting = api.gateway.run(identity.serverId, 'list', { id: 'for-the-next', ...patience });
  using fresh = await joinSocket(api.port, agentIdentity(identity.serverId));
  expect((await fresh.next('command')).id).toBe('for-the-next');
  result(fresh, 'for-the-next', 'ok');
  expect(await waiting).toEqual(answered('ok'));
});

const journalIs = (journal: string) => ({ v, type: 'command-journal', journal }) as const;

// Guarantee: a new process of an agent that kept its journal loses nothing: its commands are requested again, those
// that it had written down marked as such, and no caller is told `unknown`; a restart of the API in between changes
// nothing.
test('a restart of the agent', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  agent.send(journalIs('kept'));
  const running = [];
  for (const id of ['r1', 'r2']) {
    running.push(api.gateway.run(identity.serverId, 'say', { id, ...patience }));
    await agent.next('command');
  }
  agent.send({ v, type: 'accepted', commandIds: ['r1'] });
  await eventually(async () => expect((await rowOf('r1')).accepted_at).not.toBeNull());
  using restarted = await joinSocket(api.port, { ...identity, journal: 'second process' });
  expect(restarted.frames.some(({ type }) => type === 'command')).toBe(false);
  await using reborn = await startTestGateway({ database, servers });
  using third = await joinSocket(reborn.port, { ...identity, journal: 'second process' });
  third.send(journalIs('kept'));
  expect(await third.next('command')).toMatchObject({ id: 'r1', accepted: true });
  expect(await third.next('command')).not.toHaveProperty('accepted');
  restarted.send(journalIs('kept'));
  for (const id of ['r1', 'r2']) {
    expect((await restarted.next('command')).id).toBe(id);
    result(restarted, id, id);
  }
  expect(await Promise.all(running)).toEqual(['r1', 'r2'].map(answered));
});

// Guarantee: commands are `unknown` only for an agent that names another journal, or none; a result that still comes is accepted.
test('another journal, or none', async () => {
  for (const second of ['another', null]) {
    const identity = await newIdentity();
    const id = `${identity.serverId}-lost`;
    using agent = await joinSocket(api.port, identity);
    agent.send(journalIs('first'));
    const lost = api.gateway.run(identity.serverId, 'say', { id, ...patience });
    await agent.next('command');
    using next = await joinSocket(api.port, { ...identity, journal: 'second process' });
    if (second === null) next.heartbeat(0);
    else next.send(journalIs(second));
    expect(await lost).toMatchObject({ outcome: 'unknown', sent: true });
    expect(next.frames.some(({ type }) => type === 'command')).toBe(false);
    for (const reply of ['late', 'contradicted']) {
      result(next, id, reply);
      await next.next('received');
    }
    expect((await rowOf(id)).result).toEqual(answered('late'));
    expect(api.observed.late.filter((late) => late.id === id)).toEqual(
      Array.from({ length: 2 }, () => ({ id, result: answered('late') })),
    );
    const after = api.gateway.run(identity.serverId, 'list', { id: `${id}-after`, ...patience });
    await next.next('command');
    result(next, `${id}-after`, 'ok');
    expect(await after).toEqual(answered('ok'));
  }
});

// Guarantee: a database that fails for a moment, without being unavailable, does not make an agent that remembers look
// like one that does not.
test('a journal that is not taken the first time', async () => {
  const identity = await newIdentity();
  const { serverId } = identity;
  using agent = await joinSocket(api.port, identity);
  agent.send(journalIs('kept'));
  const running = api.gateway.run(serverId, 'say', { id: 'full-once', ...patience });
  await agent.next('command');
  await database.pool.query(`
    create sequence settled;
    create function fail_once() returns trigger language plpgsql as $$ begin
      if nextval('settled') = 1 then raise 'no space left on device' using errcode = '53100'; end if;
      return new;
    end $$;
    create trigger fail_once before update on game_agents for each row
      when (old.server_id = '${serverId}' and old.commands_doubted and not new.commands_doubted)
      execute function fail_once();`);
  const restarted = { ...identity, journal: 'second process' };
  using second = await joinSocket(api.port, restarted);
  second.send(journalIs('kept'));
  second.heartbeat(0);
  await second.closed;
  using third = await joinSocket(api.port, restarted);
  third.send(journalIs('kept'));
  third.heartbeat(0);
  expect((await third.next('command')).id).toBe('full-once');
  result(third, 'full-once', 'ok');
  expect(await running).toEqual(answered('ok'));
});

// Guarantee: a result for a command that has already been deleted is passed on before the agent may forget it.
test('later than commands are kept', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  result(agent, 'deleted-long-ago', 'at long last');
  await agent.next('received');
  expect(api.observed.late.filter(({ id }) => id === 'deleted-long-ago')).toEqual([
    { id: 'deleted-long-ago', result: answered('at long last') },
  ]);
});

// Guarantee: the same holds for polling, where the first poll says nothing yet.
test('a restart of a polling agent', async () => {
  const identity = await newIdentity();
  const { serverId } = identity;
  const logIn = await poll(api.port, identity);
  expect(framesOf(logIn)[0]).toMatchObject({ capabilities: [...agentCapabilities] });
  const frames = [journalIs('kept')];
  const waiting = api.gateway.run(serverId, 'say', { id: 'polled', ...patience });
  await eventually(async () => expect(await rowOf('polled')).toBeDefined());
  expect(framesOf(await poll(api.port, identity, { frames })).at(-1)).toMatchObject({ id: 'polled' });
  const again = { ...identity, journal: 'second process' };
  expect(framesOf(await poll(api.port, again))).toHaveLength(1);
  expect(framesOf(await poll(api.port, again, { frames })).at(-1)).toMatchObject({ id: 'polled' });
  const ended = { v, type: 'result', commandId: 'polled', result: answered('ok') } as const;
  await poll(api.port, again, { frames: [ended] });
  expect(await waiting).toEqual(answered('ok'));
});
