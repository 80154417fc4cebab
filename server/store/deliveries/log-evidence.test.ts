import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { startSevenDays } from '../../../tests/simulators/seven-days-simulator.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { serveFeature } from '../../kernel/testing/feature-api.ts';
import { bindDeliveriesRoutes } from './deliveries.routes.ts';
import { diamond, openStoreInPlay, type StoreInPlay } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
});
afterAll(() => store[Symbol.asyncDispose]());

// Guarantee: if the reply of 7 Days to Die is lost, the log line that the command was executed is shown with the other
// evidence at the desk; it settles nothing.
test('the log as evidence', async () => {
  await using world = await startSevenDays();
  const serverId = await store.server('seven-days-to-die', world);
  const name = play.newName();
  world.world.join(name);
  const { memberId, playerId } = await store.member(name, 'seven-days-to-die');
  store.join(serverId, playerId, name);
  const item = { ...diamond(3), item: 'resourceWood' };
  const buy = async () =>
    (await store.buy(memberId, 'seven-days-to-die', [item], { serverIds: [serverId] }))[0];
  const first = (await buy()) ?? '';
  await eventually(async () => {
    await play.run(memberId);
    expect(await store.row(first)).not.toMatchObject({ waits_for: 'server' });
  });
  await eventually(async () => expect(await store.row(first)).toMatchObject({ certainty: 'proven' }));
  let isLost = false;
  world.quirks.fateOf = (command) => {
    isLost ||= command.startsWith('give');
    return isLost ? (command.startsWith('give') ? 'silence' : 'ignore') : 'answer';
  };
  const id = (await buy()) ?? '';
  await play.run(memberId);
  world.quirks.fateOf = () => 'answer';
  expect(await store.row(id)).toMatchObject({ state: 'unknown', desk_reason: 'unknown' });
  await using api = await serveFeature((routes) =>
    bindDeliveriesRoutes(routes, store.context, store.deliveries),
  );
  const desk = await ask(api.port, `/api/deliveries/desk?serverId=${serverId}`);
  const line = ` INF Executing command 'give "${name}" resourceWood 3' by Telnet from `;
  expect(desk.json).toMatchObject({
    rows: [{ id, history: [{ evidence: { logLines: [expect.stringContaining(line)] } }] }],
  });
  // Also from an agent that found it after its own restart.
  await store.database.pool.query(`update delivery_attempts set evidence = '{}' where delivery_id = $1`, [
    id,
  ]);
  const late = { outcome: 'unknown', reply: null, truncated: false, sent: true, durationMs: 0 } as const;
  await store.deliveries.takeLate(serverId, `${id}.1`, { ...late, logLine: 'the line' });
  const shown = await ask(api.port, `/api/deliveries/${id}`);
  expect(shown.json).toMatchObject({
    state: 'unknown',
    history: [{ outcome: 'timeout', evidence: { logLines: ['the line'] } }],
  });
});
