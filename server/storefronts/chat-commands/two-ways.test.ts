import { expect, test } from 'vitest';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { eventually } from '#harness/eventually.ts';
import { startSevenDays } from '../../../tests/simulators/seven-days-simulator.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, newServer } from '../../kernel/testing/call.ts';
import { grantPoints } from '../../kernel/testing/store-rows.ts';
import { testAgentSecret, testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { agentIdentity, answered, joinSocket } from '../../servers/agents/testing/scripted-agent.ts';

const running = apiForThisFile({ pollingIntervalMs: 200 });
const owner = { as: testDesktopCredential };
const context = () => running().api.context;

// Guarantee: a line that the console reports while the server's agent is away, and the agent reports again when it is back, is obeyed once.
test('a console and an agent that was away', async () => {
  await using game = await startSevenDays();
  const { port } = running();
  const opened = await call(port, settingsHttp.change, {
    ...owner,
    params: { section: 'chat-shop' },
    body: { version: 0, values: { isOpen: true } },
  });
  expect(opened.status, opened.text).toBe(200);
  const { password, world } = game;
  const serverId = await newServer(port, { game: game.game, host: '127.0.0.1', port: game.port, password });

  const identity = agentIdentity(serverId, testAgentSecret);
  const first = await joinSocket(port, identity, { changes: { game: game.game } });
  first[Symbol.dispose]();
  await first.closed;
  world.join('Ann');
  const { presence } = context().people;
  const playerId = await eventually(() => {
    const found = presence.openSessions().find((one) => one.serverId === serverId);
    if (!found) throw new Error('the player is not seen yet');
    return found.playerId;
  }, 30_000);
  const { member_id: memberId, platform_id: platformId } = await context()
    .database.db.selectFrom('players')
    .select(['member_id', 'platform_id'])
    .where('id', '=', playerId)
    .executeTakeFirstOrThrow();
  await grantPoints(context().database.pool, memberId, 100);
  world.chat('Ann', '!points');
  const heard = () =>
    context().database.db.selectFrom('event_logs').selectAll().where('kind', '=', 'chat.message').execute();
  await eventually(async () => expect(await heard()).toHaveLength(1));

  using agent = await joinSocket(port, identity, { changes: { game: game.game } });
  const tell = (number: number, text: string) => {
    const player = { name: 'Ann', platformId };
    agent.send({ v: 1, type: 'events', events: [{ number, kind: 'chat', player, text, ageMs: 0 }] });
  };
  tell(1, '!points');
  tell(2, '!help');
  const asked = new Set<string>();
  /** Over both links. */
  const answersWith = (text: string) => {
    const byAgent = agent.frames.filter((frame) => frame.type === 'command' && frame.command.includes(text));
    return byAgent.length + world.messages.filter((message) => message.text.includes(text)).length;
  };
  await eventually(() => {
    for (const frame of agent.frames) {
      if (frame.type !== 'command' || asked.has(frame.id)) continue;
      asked.add(frame.id);
      agent.send({ v: 1, type: 'result', commandId: frame.id, result: answered('Message to Ann sent.') });
    }
    expect(answersWith('You have 100 points.')).toBeGreaterThan(0);
    expect(answersWith('Commands: ')).toBe(1);
  }, 20_000);
  expect(answersWith('You have 100 points.')).toBe(1);
});
