import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { endsHealthOf } from './inspect-ends.ts';
import { day, type LastingStore, openLastingStore, type RankedServer } from './testing/lasting-store.ts';

let lasting: LastingStore;
let server: RankedServer;
beforeAll(async () => {
  lasting = await openLastingStore();
});
beforeEach(async () => {
  lasting.aheadMs = 0;
  lasting.paused = false;
  server = await lasting.ranked();
  // What an earlier test has left open does not count here.
  await lasting.store.database.pool.query(
    `update entitlement_places set state = 'given-up', is_sent = false where state in ('taking', 'giving', 'unknown')`,
  );
  lasting.restart();
  lasting.entitlements.begin();
});
afterAll(() => lasting[Symbol.asyncDispose]());

const hour = 3600;
const round = () => lasting.entitlements.round();
const reading = () => lasting.entitlements.inspect();
const health = async () => endsHealthOf(await reading());
const overdueMembers = async () =>
  (await lasting.entitlements.reading.list({ state: 'overdue', limit: 10 })).rows.map(
    ({ memberId }) => memberId,
  );
/** A member whose rank has just ended. */
const endedRank = async () => {
  const { memberId } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  return memberId;
};

// Guarantee: an end that is due is reported as overdue after an hour and no sooner, with its server; tries in between
// do not reset its age, and once it is taken back all is well.
test('an end that waits for its server', async () => {
  const memberId = await endedRank();
  await lasting.leaves(server);
  await lasting.pass(30 * day);
  await round();
  expect(await reading()).toMatchObject({ taking: 1, overdue: 0, refused: 0, servers: [] });
  expect(await health()).toEqual({ status: 'ok', detail: null });
  await lasting.pass(hour - 60);
  await round();
  expect(await health()).toEqual({ status: 'ok', detail: null });
  expect(await overdueMembers()).toEqual([]);
  await lasting.pass(2 * hour);
  await round();
  const { servers } = await reading();
  expect(await health()).toEqual({
    status: 'degraded',
    detail: `Overdue ends and renewals: 1. The oldest has waited 2 h. Servers: ${servers[0]}.`,
  });
  expect(servers).toHaveLength(1);
  expect(await overdueMembers()).toEqual([memberId]);
  lasting.paused = true;
  expect((await health()).detail).toMatch(/ Deliveries are paused\.$/);
  lasting.paused = false;
  await lasting.joins(server);
  await eventually(async () => {
    await round();
    expect(await reading()).toMatchObject({ taking: 0, overdue: 0, oldestDueMs: null });
  });
  expect(await health()).toEqual({ status: 'ok', detail: null });
  expect(await overdueMembers()).toEqual([]);
});

// Guarantee: what the game refuses repeatedly is overdue and counted as refused, however often it was tried.
test('an end that the game refuses', async () => {
  await endedRank();
  server.mood = 'refuses';
  await lasting.pass(30 * day);
  for (let tries = 0; tries < 3; tries += 1) {
    await round();
    await lasting.pass(hour / 2);
  }
  expect(await reading()).toMatchObject({ overdue: 1, refused: 1 });
  expect((await health()).detail).toContain('Refused by the game: 1.');
});

// Guarantee: a place that waits for a person is reported until they have decided.
test('an end that no one can tell', async () => {
  const memberId = await endedRank();
  server.mood = 'lost';
  await lasting.pass(30 * day);
  await round();
  expect(await reading()).toMatchObject({ taking: 0, unknown: 1 });
  expect(await health()).toEqual({ status: 'degraded', detail: 'Ends that wait for a person: 1.' });
  const [place] = await lasting.places(memberId);
  const by = { actor: testOwner, address: '127.0.0.1' };
  await lasting.entitlements.decide.done(place?.id ?? '', by);
  expect(await health()).toEqual({ status: 'ok', detail: null });
});

// Guarantee: health shows when the processing of ends stops, with the ends that it misses, and when it continues.
test('a worker that stands still', async () => {
  const memberId = await endedRank();
  const holding = await lasting.store.database.pool.connect();
  await holding.query('begin');
  await holding.query('select from entitlements where member_id = $1 for update', [memberId]);
  lasting.aheadMs = (30 * day + 2 * hour) * 1000;
  const stuck = round();
  try {
    expect((await health()).detail).toMatch(
      /^Ends were not followed for \d{7} s\. Overdue ends and renewals: 1\. The oldest has waited 2 h\.$/,
    );
    expect(await overdueMembers()).toEqual([memberId]);
  } finally {
    await holding.query('rollback');
    holding.release();
  }
  await stuck;
  await round();
  expect(await health()).toEqual({ status: 'ok', detail: null });
});

// Guarantee: while deliveries are paused nothing counts as stopped, and before the beginning nothing is reported as well.
test('a pause and the time before the beginning', async () => {
  lasting.paused = true;
  lasting.aheadMs = 600_000;
  await round();
  expect(await health()).toEqual({ status: 'ok', detail: null });
  lasting.restart();
  expect(await health()).toEqual({ status: 'degraded', detail: 'Ends are not followed yet.' });
});
