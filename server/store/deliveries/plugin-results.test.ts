import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentProtocolVersion, apiFrame } from '#contracts/servers/agent-protocol.ts';
import { eventually } from '#harness/eventually.ts';
import { agentIdentity, answered, joinSocket } from '../../servers/agents/testing/scripted-agent.ts';
import { diamond, openStoreInPlay, type StoreInPlay } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
});
afterAll(() => store[Symbol.asyncDispose]());

// Guarantee: a plugin that remembers ids settles a purchase across its own restart: the id is asked for again, and its
// first result counts; an id that its savegame does not know is never carried out, and waits for a person.
test.each([
  [
    'remembers',
    answered('Gave 1 [Diamond] to Steve'),
    { state: 'delivered', certainty: 'proven', attempts: 1 },
  ],
  [
    'has forgotten',
    { ...answered(''), outcome: 'unknown' as const, reply: null },
    { state: 'unknown', desk_reason: 'unknown', attempts: 1 },
  ],
])('a plugin whose savegame %s', async (_name, result, expected) => {
  const serverId = await store.server('minecraft');
  const identity = agentIdentity(serverId);
  const start = async (journal: string) => {
    const plugin = await joinSocket(store.gateway.port, identity, { changes: { journal } });
    plugin.send({ v: agentProtocolVersion, type: 'command-journal', journal: 'savegame' });
    plugin.heartbeat(0, []);
    return plugin;
  };
  const name = play.newName();
  const { memberId, playerId } = await store.member(name, 'minecraft');
  const carriedOut: string[] = [];
  let id: string | undefined;
  {
    using first = await start('before');
    first.socket.on('message', (data) => {
      const frame = apiFrame.parse(JSON.parse(String(data)));
      if (frame.type !== 'command') return;
      // It keeps no marks: it does not know what it is asked besides the gift.
      if (!frame.command.startsWith('give')) {
        const unknown = answered('Unknown or incomplete command, see below for error');
        first.send({ v: agentProtocolVersion, type: 'result', commandId: frame.id, result: unknown });
        return;
      }
      first.send({ v: agentProtocolVersion, type: 'accepted', commandIds: [frame.id] });
      carriedOut.push(frame.id);
    });
    await eventually(() => expect(store.gateway.gateway.connectionOf(serverId)).not.toBeNull());
    store.join(serverId, playerId, name);
    [id] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
    store.deliveries.wake([memberId]);
    await eventually(() => expect(carriedOut).toEqual([`${id}.1`]));
    await eventually(async () => {
      const sql = 'select accepted_at from agent_commands where id = $1';
      const { rows } = await store.database.pool.query<{ accepted_at: Date | null }>(sql, [`${id}.1`]);
      expect(rows[0]?.accepted_at).toEqual(expect.any(Date));
    });
  }
  using second = await start('after');
  expect(await second.next('command')).toMatchObject({ id: `${id}.1`, accepted: true });
  const reply = result.reply?.replace('Steve', name) ?? null;
  second.send({
    v: agentProtocolVersion,
    type: 'result',
    commandId: `${id}.1`,
    result: { ...result, reply },
  });
  await store.deliveries.idle();
  expect(await store.row(id ?? '')).toMatchObject(expected);
});
