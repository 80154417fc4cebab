import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { createSecrets } from '../../kernel/secrets/secrets.ts';
import { createCommandRows, deleteOldAgentCommands } from './command-rows.ts';
import { gatewayForThisFile } from './testing/gateway-of-a-test.ts';
import { answered, joinSocket, type SocketAgent } from './testing/scripted-agent.ts';
import { startTestGateway, testEncryptionKey } from './testing/test-gateway.ts';

const v = 1 as const;
const key = new Secret(testEncryptionKey);
const secrets = createSecrets([key]);
const { api, database, servers, newIdentity } = await gatewayForThisFile({ timing: { grace: 100 } });

const patience = { timeoutMs: 20_000, expiresInMs: 20_000 };
const rowOf = async (id: string) =>
  (await database.pool.query('select * from agent_commands where id = $1', [id])).rows[0];
const result = (agent: SocketAgent, commandId: string, reply: string) =>
  agent.send({ v, type: 'result', commandId, result: answered(reply) });

// Guarantee: a password is in the queue for as long as the command may be sent again, and no longer; it is sealed there, and a
// later process, with a newer key beside the old one, still sends it.
test('a command with a password', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  const running = api.gateway.run(identity.serverId, 'login hunter2', { id: 'secret', ...patience });
  expect(await agent.next('command')).toMatchObject({ command: 'login hunter2' });
  expect(JSON.stringify(await rowOf('secret'))).not.toContain('hunter2');
  const later = createCommandRows(database.db, createSecrets([new Secret('f'.repeat(64)), key]));
  expect((await later.loadWaiting()).find(({ id }) => id === 'secret')).toMatchObject({
    command: 'login hunter2',
  });
  result(agent, 'secret', 'done');
  await running;
  expect(await rowOf('secret')).toMatchObject({ command: 'login ***', sealed: null });
});

// Guarantee: a command that no key opens is not sent: it ends as unknown if it was sent before, otherwise unsent.
test('a command that was sealed with a lost key', async () => {
  const identity = await newIdentity();
  const lost = createCommandRows(database.db, createSecrets([new Secret('e'.repeat(64))]));
  const row = { serverId: identity.serverId, command: 'login hunter2', ...patience };
  await lost.insert({ id: 'lost-sent', ...row, isSent: true });
  await lost.insert({ id: 'lost', ...row, isSent: false });
  const waiting = await createCommandRows(database.db, secrets).loadWaiting();
  expect(waiting.filter(({ id }) => id.startsWith('lost'))).toEqual([]);
  expect(await rowOf('lost-sent')).toMatchObject({
    sealed: null,
    result: { outcome: 'unknown', sent: true },
  });
  expect(await rowOf('lost')).toMatchObject({ sealed: null, result: { outcome: 'expired', sent: false } });
});

// Guarantee: a reply that repeats the password does not keep it either, even when it comes for a caller that is gone; other members stay.
test('a reply with a password', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  const running = api.gateway.run(identity.serverId, 'login hunter2', { id: 'told', ...patience });
  await agent.next('command');
  result(agent, 'told', 'welcome, hunter2');
  await running;
  expect(await rowOf('told')).toMatchObject({
    command: 'login ***',
    result: { ...answered('welcome, ***') },
  });
  await database.pool.query(
    `insert into agent_commands (id, server_id, command, timeout_ms, expires_at, sent_at)
     values ('told-late', $1, 'login hunter2', 1000, now() + interval '1 minute', now())`,
    [identity.serverId],
  );
  result(agent, 'told-late', 'welcome, hunter2');
  await eventually(() =>
    expect(api.observed.late).toContainEqual({ id: 'told-late', result: answered('welcome, ***') }),
  );
});

// Guarantee: a command is both done and masked, or neither: when the database refuses one of the two, a repeat does both.
test('a mask that fails', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  await database.pool.query(
    "alter table agent_commands add constraint unmasked check (id <> 'stuck' or command = '***')",
  );
  const running = api.gateway.run(identity.serverId, 'login hunter2', { id: 'stuck', ...patience });
  await agent.next('command');
  const rows = createCommandRows(database.db, secrets);
  await expect(rows.finish(identity.serverId, 'stuck', answered('done'))).rejects.toThrow('unmasked');
  expect(await rowOf('stuck')).toMatchObject({ done_at: null, result: null });
  await database.pool.query('alter table agent_commands drop constraint unmasked');
  result(agent, 'stuck', 'done');
  await running;
  expect((await rowOf('stuck')).command).toBe('login ***');
});

// Guarantee: a command is written before it goes out, and its result before the agent may forget it.
test('a command and its result', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  const running = api.gateway.run(identity.serverId, 'list', { id: 'one', ...patience });
  const frame = await agent.next('command');
  expect(frame).toMatchObject({ id: 'one', command: 'list', timeoutMs: 20_000 });
  expect(frame.expiresInMs).toBeGreaterThan(0);
  expect((await rowOf('one')).sent_at).not.toBeNull();
  agent.send({ v, type: 'accepted', commandIds: ['one'] });
  await eventually(async () => expect((await rowOf('one')).accepted_at).not.toBeNull());
  expect(api.gateway.reading(identity.serverId)?.waitingCommands).toBe(1);
  result(agent, 'one', 'first');
  expect((await agent.next('received')).commandIds).toEqual(['one']);
  expect(await running).toEqual(answered('first'));
  // Sent twice: acknowledged again, and nothing changes.
  result(agent, 'one', 'second');
  await agent.next('received');
  expect((await rowOf('one')).result).toEqual(answered('first'));
  expect(await api.gateway.run(identity.serverId, 'list', { id: 'one', ...patience })).toEqual(
    answered('first'),
  );
  await expect(api.gateway.run(identity.serverId, 'stop', { id: 'one', ...patience })).rejects.toThrow(
    'another command',
  );
});

// Guarantee: no byte of a command leaves while its row does not say that it may have been sent: otherwise the next start would send it again.
test('a mark that the database refuses', async () => {
  const identity = await newIdentity();
  const running = api.gateway.run(identity.serverId, 'say hello', { id: 'unmarked', ...patience });
  await eventually(async () => expect(await rowOf('unmarked')).toMatchObject({ sent_at: null }));
  await database.pool.query(
    "alter table agent_commands add constraint unsent check (id <> 'unmarked' or sent_at is null)",
  );
  using agent = await joinSocket(api.port, identity);
  await eventually(() => expect(api.log()).toContain('Game Agent commands are waiting for the database'));
  // What was sent before its answer has arrived with it.
  result(agent, 'of-nobody', 'a question');
  await agent.next('received');
  expect(agent.frames.filter(({ type }) => type === 'command')).toEqual([]);
  await database.pool.query('alter table agent_commands drop constraint unsent');
  expect(await agent.next('command')).toMatchObject({ id: 'unmarked' });
  expect((await rowOf('unmarked')).sent_at).not.toBeNull();
  result(agent, 'unmarked', 'done');
  expect(await running).toEqual(answered('done'));
});

// Guarantee: the same id is one command, however often and from wherever it is requested.
test('joining', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  const ask = () => api.gateway.run(identity.serverId, 'save', { id: 'joined', ...patience });
  const asked = [ask(), ask(), ask()];
  await agent.next('command');
  asked.push(ask());
  result(agent, 'joined', 'Saved');
  expect(await Promise.all(asked)).toEqual(Array(4).fill(answered('Saved')));
  expect(agent.frames.filter(({ type }) => type === 'command')).toHaveLength(1);
});

// Guarantee: no agent can end another server's commands, or fail on unknown ids.
test('results for others', async () => {
  const [one, other] = [await newIdentity(), await newIdentity()];
  using a = await joinSocket(api.port, one);
  using b = await joinSocket(api.port, other);
  const running = api.gateway.run(one.serverId, 'list', { id: 'of-one', ...patience });
  await a.next('command');
  for (const id of ['of-one', 'of-nobody']) {
    b.send({ v, type: 'accepted', commandIds: [id] });
    result(b, id, 'forged');
    expect((await b.next('received')).commandIds).toEqual([id]);
  }
  result(a, 'of-one', 'true');
  expect(await running).toEqual(answered('true'));
});

// Guarantee: commands wait for an agent that is away, arrive in order, and are sent again when their outcome is not known.
test('an agent that comes and goes', async () => {
  const identity = await newIdentity();
  const running = ['c1', 'c2', 'c3'].map((id) =>
    api.gateway.run(identity.serverId, `say ${id}`, { id, ...patience }),
  );
  await eventually(async () => expect(await rowOf('c3')).toMatchObject({ sent_at: null }));
  const first = await joinSocket(api.port, identity);
  for (const id of ['c1', 'c2', 'c3']) expect((await first.next('command')).id).toBe(id);
  result(first, 'c2', 'two');
  await first.next('received');
  first.socket.terminate();
  using second = await joinSocket(api.port, identity);
  for (const id of ['c1', 'c3']) expect((await second.next('command')).id).toBe(id);
  result(second, 'c1', 'one');
  result(second, 'c3', 'three');
  expect(await Promise.all(running)).toEqual(['one', 'two', 'three'].map(answered));
});

// Guarantee: a command that was not sent in time is `expired`; one that was sent and got no reply is `timeout`, and its
// result is still written when it comes.
test('too late', async () => {
  const identity = await newIdentity();
  const brief = { timeoutMs: 50, expiresInMs: 50 };
  const unsent = await api.gateway.run(identity.serverId, 'list', { id: 'unsent', ...brief });
  expect(unsent).toMatchObject({ outcome: 'expired', sent: false });
  await eventually(async () => expect((await rowOf('unsent')).result).toMatchObject({ outcome: 'expired' }));

  using agent = await joinSocket(api.port, identity);
  const silent = api.gateway.run(identity.serverId, 'list', {
    id: 'silent',
    timeoutMs: 50,
    expiresInMs: 20_000,
  });
  await agent.next('command');
  agent.send({ v, type: 'accepted', commandIds: ['silent'] });
  expect(await silent).toMatchObject({ outcome: 'timeout', sent: true });
  expect((await rowOf('silent')).done_at).toBeNull();
  result(agent, 'silent', 'at last');
  await agent.next('received');
  expect((await rowOf('silent')).result).toEqual(answered('at last'));
});

// Guarantee: a command that is called off before it was sent is gone; after that the caller is told that it was sent.
test('calling off', async () => {
  const identity = await newIdentity();
  const call = (id: string, signal: AbortSignal) =>
    api.gateway.run(identity.serverId, 'list', { id, signal, ...patience });
  const early = new AbortController();
  const unsent = call('early', early.signal);
  await eventually(async () => expect(await rowOf('early')).toBeDefined());
  early.abort();
  expect(await unsent).toMatchObject({ outcome: 'cancelled', sent: false });
  await eventually(async () => expect(await rowOf('early')).toBeUndefined());

  using agent = await joinSocket(api.port, identity);
  const late = new AbortController();
  const sent = call('late', late.signal);
  expect((await agent.next('command')).id).toBe('late');
  late.abort();
  expect(await sent).toMatchObject({ outcome: 'cancelled', sent: true });
  result(agent, 'late', 'done all the same');
  await agent.next('received');
  expect((await rowOf('late')).result).toEqual(answered('done all the same'));
});

// Guarantee: the death of the API loses no command and no result, and sends none as if it were new.
test('a killed API', async () => {
  const identity = await newIdentity();
  const doomed = await startTestGateway({ database, servers });
  using agent = await joinSocket(doomed.port, identity);
  const sent = doomed.gateway.run(identity.serverId, 'a', { id: 'k1', ...patience });
  await agent.next('command');
  agent.socket.terminate();
  await eventually(() => expect(doomed.gateway.isPresent(identity.serverId)).toBe(false));
  const unsent = doomed.gateway.run(identity.serverId, 'b', { id: 'k2', ...patience });
  await eventually(async () => expect(await rowOf('k2')).toBeDefined());
  await doomed.kill();

  await using reborn = await startTestGateway({ database, servers });
  using again = await joinSocket(reborn.port, identity);
  const joined = reborn.gateway.run(identity.serverId, 'a', { id: 'k1', ...patience });
  for (const id of ['k1', 'k2']) expect((await again.next('command')).id).toBe(id);
  for (const id of ['k1', 'k2']) {
    result(again, id, `done ${id}`);
    await again.next('received');
  }
  expect(await joined).toEqual(answered('done k1'));
  expect((await rowOf('k2')).result).toEqual(answered('done k2'));
  // In this test alone, the dead API's callers are still there to be told.
  await Promise.all([
    expect(sent).rejects.toMatchObject({ code: 'SHUTTING_DOWN' }),
    expect(unsent).rejects.toMatchObject({ code: 'SHUTTING_DOWN' }),
    doomed[Symbol.asyncDispose](),
  ]);
});

// Guarantee: an agent is not given more than it can write down, and gets the rest once it has.
test('many commands', async () => {
  const identity = await newIdentity();
  const ids = Array.from({ length: 120 }, (_, index) => `m${index}`);
  const running = ids.map((id) => api.gateway.run(identity.serverId, 'list', { id, ...patience }));
  await eventually(async () => expect(await rowOf('m119')).toBeDefined());
  using agent = await joinSocket(api.port, identity);
  const received = () => agent.frames.flatMap((frame) => (frame.type === 'command' ? [frame.id] : []));
  await eventually(() => expect(received()).toHaveLength(50));
  agent.send({ v, type: 'accepted', commandIds: ids.slice(0, 50) });
  await eventually(() => expect(received()).toHaveLength(100));
  agent.send({ v, type: 'accepted', commandIds: ids.slice(50, 100) });
  await eventually(() => expect(received()).toEqual(ids));
  for (const id of ids) result(agent, id, id);
  expect(await Promise.all(running)).toEqual(ids.map(answered));
});

// Guarantee: characters that the database does not accept do not lose a result.
test('hostile text', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  const running = api.gateway.run(identity.serverId, 'list', { id: 'odd', ...patience });
  await agent.next('command');
  result(agent, 'odd', 'a\0b\ud800c');
  expect((await running).reply).toBe('a\ufffdb\ufffdc');
});

// Guarantee: archiving a server sends its agent away and ends unsent commands.
test('an archived server', async () => {
  const identity = await newIdentity();
  const waiting = api.gateway.run(identity.serverId, 'list', { id: 'archived', ...patience });
  await eventually(async () => expect(await rowOf('archived')).toBeDefined());
  servers.inUse.delete(identity.serverId);
  api.gateway.forget(identity.serverId);
  expect(await waiting).toMatchObject({ outcome: 'cancelled', sent: false });
  expect(api.gateway.reading(identity.serverId)).toBeNull();
});

// Guarantee: results are kept for a week; those that never came are given up as unknown, not silently forgotten, and
// their passwords with them.
test('retention', async () => {
  const identity = await newIdentity();
  await database.pool.query(
    `insert into agent_commands (id, server_id, command, timeout_ms, expires_at, sent_at, done_at)
     select 'old' || n, $1, 'x', 1, now() - interval '9 days', now(), now() - interval '8 days'
     from generate_series(1, 1500) n`,
    [identity.serverId],
  );
  await database.pool.query(
    `insert into agent_commands (id, server_id, command, timeout_ms, expires_at, sent_at)
     values ('silent-for-a-week', $1, 'login hunter2', 1, now() - interval '8 days', now())`,
    [identity.serverId],
  );
  expect(await deleteOldAgentCommands(database.db, secrets, new AbortController().signal)).toBe(1500);
  const silent = await rowOf('silent-for-a-week');
  expect(silent).toMatchObject({ command: 'login ***', result: { outcome: 'unknown', sent: true } });
});
